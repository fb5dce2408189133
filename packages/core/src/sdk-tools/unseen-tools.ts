// Types of tools that the CLI has for other programs. No setting that was tried turned them on, so nothing is known of their
// fields. The names exist for programs that import them.

/** The input or output of a tool that was never observed. Check each field before you use it. */
export interface UnseenFields {
  [field: string]: unknown;
}

/** The input of `Artifact`; not observed. */
export type ArtifactInput = UnseenFields;
/** The output of `Artifact`; not observed. */
export type ArtifactOutput = UnseenFields;

/** The input of `ClaudeDesign`; not observed. */
export type ClaudeDesignInput = UnseenFields;
/** The output of `ClaudeDesign`; not observed. */
export type ClaudeDesignOutput = UnseenFields;

/** The input of `OfferChromeSetup`; not observed. */
export type OfferChromeSetupInput = UnseenFields;
/** The output of `OfferChromeSetup`; not observed. */
export type OfferChromeSetupOutput = UnseenFields;

/** The input of `Projects`; not observed. */
export type ProjectsInput = UnseenFields;
/** The output of `Projects`; not observed. */
export type ProjectsOutput = UnseenFields;

/** The input of `ProposeGoal`; not observed. */
export type ProposeGoalInput = UnseenFields;
/** The output of `ProposeGoal`; not observed. */
export type ProposeGoalOutput = UnseenFields;

/** The input of `ProposeSkills`; not observed. */
export type ProposeSkillsInput = UnseenFields;
/** The output of `ProposeSkills`; not observed. */
export type ProposeSkillsOutput = UnseenFields;

/** The input of `PushNotification`; not observed. */
export type PushNotificationInput = UnseenFields;
/** The output of `PushNotification`; not observed. */
export type PushNotificationOutput = UnseenFields;

/** The input of `ReadNotifications`; not observed. */
export type ReadNotificationsInput = UnseenFields;
/** The output of `ReadNotifications`; not observed. */
export type ReadNotificationsOutput = UnseenFields;

/** The input of `RefreshMcpTools`; not observed. */
export type RefreshMcpToolsInput = UnseenFields;
/** The output of `RefreshMcpTools`; not observed. */
export type RefreshMcpToolsOutput = UnseenFields;

/** The input of `RemoteTrigger`; not observed. */
export type RemoteTriggerInput = UnseenFields;
/** The output of `RemoteTrigger`; not observed. */
export type RemoteTriggerOutput = UnseenFields;

/** The input of `SendFeedback`; not observed. */
export type SendFeedbackInput = UnseenFields;
/** The output of `SendFeedback`; not observed. */
export type SendFeedbackOutput = UnseenFields;

/** The input of `ShowOnboardingRolePicker`; not observed. */
export type ShowOnboardingRolePickerInput = UnseenFields;
/** The output of `ShowOnboardingRolePicker`; not observed. */
export type ShowOnboardingRolePickerOutput = UnseenFields;
