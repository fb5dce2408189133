// Finds the calls of a saved session that wait for an answer: of a person, or of a process that completes them later. Reads the
// transcript and the call records, and changes neither.
import { isInProcess } from '@inboard/core/wire/protocol/config/mcp-config.js';
import type { Options } from '@inboard/core/options/options.js';
import { buildEnvironment } from '@inboard/core/options/launch/environment.js';
import { chooseProjectKey } from '@inboard/core/options/elsewhere.js';
import { foldFacts, type KnownCallState } from '@inboard/core/record/calls/fold-facts.js';
import { findCallRecords } from '@inboard/core/record/history/store/find-call-records.js';
import { findTranscriptPlace } from '@inboard/core/verbs/conversation/completion/transcript-place.js';
import { matchRecords } from '@inboard/core/verbs/conversation/completion/match-records.js';
