import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temp-folder.ts';
import { ClaudeSession } from './claude-session.ts';

const SECRET = ['purple', 'meadow', 'anchor'].join('');

/** Everything that yore wrote. */
function textsIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

describe('the output of a command that prints a secret', () => {
  it.each([
    'pass show mail/bob',
    'op read op://prod/db/password',
    'wg genkey',
    'gcloud secrets versions access latest --secret=db',
    "kubectl get secret db -o jsonpath='{.data.password}' | base64 -d",
    'terraform output -raw db_password',
    'cd infra && terraform output -raw db_password | tr -d "\\n"',
    'openssl rand -base64 24',
    'aws secretsmanager get-secret-value --secret-id db --query SecretString --output text',
    'echo "$(pass show mail/bob)"',
    'printenv DB_PASSWORD',
    'cat /run/secrets/db_password',
  ])('of %s is masked in all files', async (command) => {
    const session = new ClaudeSession(temporaryFolder(), 'one', Date.now());
    await session.run(command, { stdout: `${SECRET}\n` });
    expect(textsIn(session.home)).toContain('[redacted:secret]');
    expect(textsIn(session.home)).not.toContain(SECRET);
    await session.fire('Stop');
    expect(textsIn(session.home)).not.toContain(SECRET);
  });

  it.each([
    'pass ls',
    'TOKEN=$(pass show mail/bob) && npm test',
    'pass show mail/bob | docker login -u bob --password-stdin',
    'kubectl get secrets',
    'terraform output -raw region',
    'cat src/token.ts',
  ])('of %s is kept', async (command) => {
    const session = new ClaudeSession(temporaryFolder(), 'one', Date.now());
    await session.run(command, { stdout: 'eu-central-1-and-more\n' });
    expect(textsIn(session.home)).toContain('eu-central-1-and-more');
  });
});
