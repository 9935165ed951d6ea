/* Types of the methods `settings.*`. */
import type { Setting } from '../../config/index.ts';

/** How far an agent on this machine is recorded. */
export interface AgentStatus {
  readonly agent: string;
  readonly title: string;
  readonly version?: string;
  /**
   * `recording`: its events arrive. `waiting`: set up, but it has not reported anything yet. `needsAction`: the user has to
   * do something in the agent, such as trusting the hooks. `broken`: `yore init` repairs it. `notSetUp`: yore is not
   * installed into it. `transcripts`: it has no hooks; its transcripts are imported.
   */
  readonly state: 'recording' | 'waiting' | 'needsAction' | 'broken' | 'notSetUp' | 'transcripts';
  /** What there is to know, in sentences. */
  readonly message: string;
  /** The command that repairs it or sets it up. */
  readonly fix?: string;
  /** When its last event arrived, ISO 8601. */
  readonly lastEventAt?: string;
}

/** A setting with its effective value. */
export interface SettingItem {
  readonly key: string;
  /** Its name, for people. */
  readonly label: string;
  readonly type: Setting['type'];
  readonly description: string;
  /** Null when it is not set and has no default. */
  readonly value: unknown;
  readonly default: unknown;
  /** The allowed values of a choice, each with its name for people. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Of a number. */
  readonly min?: number;
  readonly max?: number;
  /** Whether `settings.set` changes it. */
  readonly isEditable: boolean;
  /** `default`, or the path of the file that sets it. */
  readonly origin: string;
}

/** The settings of the home, and what is stored. */
export interface SettingsResult {
  readonly home: string;
  /** The settings file. */
  readonly file: string;
  readonly settings: readonly SettingItem[];
  /** Whether anything is recorded: everywhere, and in each project that differs from that. */
  readonly recording: { readonly everywhere: boolean; readonly exceptions: readonly string[] };
  readonly bytesOnDisk: number;
  readonly indexBytes: number;
  /** When the oldest record was made, ISO 8601; absent without records. */
  readonly oldest?: string;
  /** Settings cannot be changed: other machines can reach the server. */
  readonly readOnly: boolean;
}

/** A text as it would be recorded. */
export interface RedactedText {
  readonly text: string;
  /** What was masked, by kind. */
  readonly masks: readonly { readonly kind: string; readonly count: number }[];
}
