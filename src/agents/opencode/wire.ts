import type { HookProtocol } from '../wire/hook-event.ts';
import { pluginWire } from '../wire/plugin-wire.ts';

/** What yore's plugin in opencode says and understands. */
export const opencodeWire: HookProtocol = pluginWire;
