import type { HookProtocol } from '../wire/hook-event.ts';
import { pluginWire } from '../wire/plugin-wire.ts';

/** What yore's extension in pi says and understands. */
export const piWire: HookProtocol = pluginWire;
