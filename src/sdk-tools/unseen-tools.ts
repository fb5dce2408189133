// Tools that the CLI has for other hosts and that no setting of ours switched on, so nothing is known of their
// fields. The names stand here for programs that import them; read the fields with care.

/** Fields of any name. */
export interface UnseenFields {
  [field: string]: unknown;
}

/** What `Artifact` takes; not observed. */
export type ArtifactInput = UnseenFields;
/** What `Artifact` gives; not observed. */
export type ArtifactOutput = UnseenFields;

/** What `ClaudeDesign` takes; not observed. */
export type ClaudeDesignInput = UnseenFields;
/** What `ClaudeDesign` gives; not observed. */
export type ClaudeDesignOutput = UnseenFields;

/** What `OfferChromeSetup` takes; not observed. */
export type OfferChromeSetupInput = UnseenFields;
/** What `OfferChromeSetup` gives; not observed. */
export type OfferChromeSetupOutput = UnseenFields;

/** What `Projects` takes; not observed. */
export type ProjectsInput = UnseenFields;
/** What `Projects` gives; not observed. */
export type ProjectsOutput = UnseenFields;

/** What `ProposeGoal` takes; not observed. */
export type ProposeGoalInput = UnseenFields;
/** What `ProposeGoal` gives; not observed. */
export type ProposeGoalOutput = UnseenFields;

/** What `ProposeSkills` takes; not observed. */
export type ProposeSkillsInput = UnseenFields;
/** What `ProposeSkills` gives; not observed. */
export type ProposeSkillsOutput = UnseenFields;

/** What `PushNotification` takes; not observed. */
export type PushNotificationInput = UnseenFields;
/** What `PushNotification` gives; not observed. */
export type PushNotificationOutput = UnseenFields;

/** What `ReadNotifications` takes; not observed. */
export type ReadNotificationsInput = UnseenFields;
/** What `ReadNotifications` gives; not observed. */
export type ReadNotificationsOutput = UnseenFields;

/** What `RefreshMcpTools` takes; not observed. */
export type RefreshMcpToolsInput = UnseenFields;
/** What `RefreshMcpTools` gives; not observed. */
export type RefreshMcpToolsOutput = UnseenFields;

/** What `RemoteTrigger` takes; not observed. */
export type RemoteTriggerInput = UnseenFields;
/** What `RemoteTrigger` gives; not observed. */
export type RemoteTriggerOutput = UnseenFields;

/** What `SendFeedback` takes; not observed. */
export type SendFeedbackInput = UnseenFields;
/** What `SendFeedback` gives; not observed. */
export type SendFeedbackOutput = UnseenFields;

/** What `ShowOnboardingRolePicker` takes; not observed. */
export type ShowOnboardingRolePickerInput = UnseenFields;
/** What `ShowOnboardingRolePicker` gives; not observed. */
export type ShowOnboardingRolePickerOutput = UnseenFields;
