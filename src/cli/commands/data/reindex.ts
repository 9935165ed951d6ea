import type { Home } from '../../../project/index.ts';
import { type Diagnostic, YoreError } from '../../../record/index.ts';
import { formatCount } from '../../../text/format-count.ts';
import type { CommandRun } from '../../command.ts';
import { flagOption } from '../../options.ts';
import { formatBytes } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';
import { reportDiagnostics } from '../../report.ts';

/** `yore reindex`. */
export const runReindex: CommandRun = async ({ output, openHome }, _args, options) => {
  const home = await openHome();
  const isOnlyEmbedding = flagOption(options, 'embeddings');
  if (isOnlyEmbedding && !home.embeddings.isOn) {
    throw new YoreError('CONFIG', 'No embedder is set. Set it with `yore config set embeddings.url URL`.');
  }
  const report = await output.withProgress('Indexing', (progress) =>
    isOnlyEmbedding ? { ...home.catchUp(progress), warnings: [] } : home.reindex(progress),
  );
  const { documents, bytesRead } = report;
  if (!isOnlyEmbedding && !flagOption(options, 'json')) {
    const indexed = formatCount(documents, 'message or attempt', 'messages and attempts');
    output.lines(`Rebuilt the search index: ${indexed} from ${formatBytes(bytesRead)} of logs.`);
  }
  const { embedded, warnings: problems } = await embed(home, output);
  const warnings = [...report.warnings, ...problems];
  if (flagOption(options, 'json')) output.json({ documents, bytesRead, embedded, warnings });
  else if (home.embeddings.isOn) output.lines(`Computed the vectors of ${formatCount(embedded, 'message')}.`);
  return reportDiagnostics(warnings, output);
};

async function embed({ embeddings }: Home, output: Output) {
  if (!embeddings.isOn) return { embedded: 0, warnings: [] };
  const { embedded, problem } = await output.withProgress('Embedding', (onProgress) =>
    embeddings.embedMissing({ onProgress }),
  );
  const warnings: readonly Diagnostic[] = problem === undefined ? [] : [{ code: 'words', message: problem }];
  return { embedded, warnings };
}
