import type { LanguageModelV3 } from '@ai-sdk/provider';
import { ModelDetector } from '../../context/compaction/model-detector.ts';
import type { TopicDetector } from '../../context/compaction/topic-boundary.ts';
import type { Usage } from '../../record/index.ts';
import type { LedgerLine } from '../ledger.ts';
import type { ModelSurroundings } from './model-responder.ts';
import type { ModelSettings } from './model-settings.ts';
import { openModel } from './open-model.ts';
import { type ModelRequest, streamModel } from './stream-model.ts';

/** Finds topic boundaries with the smaller model; without an answer from it, offline. Nothing is loaded before it is asked. */
export function topicModel(settings: ModelSettings, surroundings: ModelSurroundings): TopicDetector {
  const { env, ledger, project, patience } = surroundings;
  // Not every server of this interface knows schemas, and some refuse a request that has one.
  const canFormat = settings.provider !== 'openai-compatible';
  const format = (schema: object): Pick<ModelRequest, 'responseFormat'> =>
    canFormat ? { responseFormat: { type: 'json', name: 'boundary', schema } } : {};
  let model: Promise<LanguageModelV3> | undefined;
  return new ModelDetector({
    ask: async ({ system, text, schema }, signal = new AbortController().signal) => {
      model ??= openModel(settings, settings.smallName, env);
      let answer = '';
      let usage: Usage | undefined;
      let outcome: LedgerLine['outcome'] = 'failed';
      try {
        const prompt = [
          { role: 'system' as const, content: system },
          { role: 'user' as const, content: [{ type: 'text' as const, text }] },
        ];
        for await (const part of streamModel({
          model: await model,
          prompt,
          signal,
          ...format(schema),
          ...patience,
        })) {
          if (part.type === 'text') answer += part.text;
          if (part.type === 'usage') usage = part.usage;
        }
        outcome = signal.aborted ? 'cancelled' : 'ok';
        return answer;
      } finally {
        const name = `${settings.provider}/${settings.smallName}`;
        ledger.note({
          why: 'topic',
          project,
          model: name,
          outcome,
          ...(usage === undefined ? {} : { usage }),
        });
      }
    },
  });
}
