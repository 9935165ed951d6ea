import { describe, expect, it } from 'vitest';
import { redact } from '../../src/redact/index.ts';

const token = ['Zk9qX2vB7nLw', '4TpR8sYd'].join('');
const word = ['hunt', 'er2'].join('');
const basic = btoa(`bob:${word}`);
const body = ['MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'BKcwggSjAgEAAoIBAQDAC4AWkdwKYSd8'].join('');
const begin = (kind: string): string => `-----BEGIN ${kind}PRIVATE KEY-----`;
const end = (kind: string): string => `-----END ${kind}PRIVATE KEY-----`;

function expectMasked(text: string, secret: string): void {
  const redacted = redact(text);
  expect(redacted).not.toContain(secret);
  expect(redacted).toMatch(/\[redacted:[\w-]+\]/);
}

describe('credentials in URLs', () => {
  it.each([
    ['postgres://admin:@db.local:5432/app', word],
    ['mongodb+srv://u:@c0.example.net/x?retryWrites=true', token],
    ['redis://:@cache:6379/0', token],
    ['amqps://guest:@mq/vhost', word],
    ['https://oauth2:@gitlab.com/x/y.git', token],
  ])('the password of %s is masked and the host survives', (url, secret) => {
    const [before, after] = url.split(':@');
    expect(redact(`DATABASE_URL=${before}:${secret}@${after}`)).toBe(
      `DATABASE_URL=${before}:[redacted:url-password]@${after}`,
    );
  });

  it('masks a token alone before the host', () => {
    expect(redact(`git clone https://${token}@github.com/x/y.git`)).toBe(
      'git clone https://[redacted:url-password]@github.com/x/y.git',
    );
  });

  it.each([
    `https://api.example.org/v1?api_key=${token}`,
    `https://x.blob.core.windows.net/c?sv=2022&sig=${token}%2Bab%3D&se=2024`,
    `GET /cb?access_token=${token}&x=1`,
    `jdbc:postgresql://h/db?user=a&password=${token}`,
  ])('masks the secret parameter of %s', (url) => {
    expectMasked(url, token);
  });
});

describe('headers', () => {
  it.each([
    [`Authorization: Bearer ${token}`, token],
    [`authorization: token ${token}`, token],
    [`Authorization: Basic ${basic}`, basic],
    [`"Authorization": "ApiKey ${token}"`, token],
    [`-H 'Authorization: ${token}'`, token],
    [`request.setHeader("Authorization", "Bearer ${token}")`, token],
    [`X-Api-Key: ${token}`, token],
    [`Private-Token: ${token}`, token],
    [`Cookie: theme=dark; sessionid=${token}`, token],
    [`Set-Cookie: connect.sid=s%3A${token}; Path=/; HttpOnly`, token],
    [`curl -b "session=${token}" https://example.org`, token],
  ])('%s loses its credential', expectMasked);

  it('keeps the scheme, the name of the cookie and its attributes', () => {
    expect(redact(`Authorization: Bearer ${token}`)).toBe('Authorization: Bearer [redacted:authorization]');
    expect(redact(`Set-Cookie: sid=${token}; Path=/; Max-Age=3600`)).toBe(
      'Set-Cookie: sid=[redacted:cookie]; Path=/; Max-Age=3600',
    );
  });
});

describe('commands', () => {
  it.each([
    `curl -u bob:${word} https://example.org`,
    `curl -s -X POST \\\n  --user "bob:${word}" \\\n  https://example.org`,
    `sshpass -p '${word}' ssh root@host`,
    `mysql -u root -p${word} app`,
    `docker login -u bob -p ${word} registry.example.org`,
    `redis-cli -a ${word} ping`,
    `PGPASSWORD=${word} psql -h host`,
    `wget --user=bob --password=${word} https://example.org`,
    `ConvertTo-SecureString "${word}" -AsPlainText -Force`,
  ])('%s loses its password', (text) => {
    expectMasked(text, word);
  });

  it.each([
    'docker run -u 1000:1000 image',
    'mkdir -p a/b',
    'ssh -p 2222 host',
    'sort -u file',
    'curl -u $USER:$PASS x',
  ])('%s stays as it is', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('files of credentials', () => {
  it.each([
    ['.netrc', `machine api.example.org\n  login bob\n  password ${word}\n`, word],
    ['.npmrc', `//registry.example/:_authToken=${token}`, token],
    ['.pypirc', `[pypi]\nusername = bob\npassword = ${word}`, word],
    ['.pgpass', `*:*:*:bob:${word}\n`, word],
    ['a Docker config', `{"auths":{"https://registry.example/v1/":{"auth":"${basic}"}}}`, basic],
    ['a Kubernetes secret', `apiVersion: v1\nkind: Secret\ndata:\n  any: ${basic}\n`, basic],
    ['a Kubernetes secret, sorted', `data:\n  any: ${basic}\nkind: Secret\n`, basic],
    ['a Kubernetes secret in plain text', `kind: Secret\nstringData:\n  any: ${word}\n`, word],
    ['a kubeconfig', `    client-key-data: ${btoa(body)}`, btoa(body)],
    ['a Kafka config', `jaas required username="u" password="${word}";`, word],
    ['SQL', `CREATE USER bob IDENTIFIED BY '${word}';`, word],
    ['a wallet', 'mnemonic: "legal winner thank year wave sausage worth useful"', 'legal winner'],
    ['a JSON web key', `{"kty":"oct","k":"${token}${token}${token}"}`, token],
    ['a PuTTY key', `Private-Lines: 1\n${body}\nPrivate-MAC: ab`, body],
  ])('%s loses its secrets', (_, text, secret) => {
    expectMasked(text, secret);
  });
});

describe('private keys', () => {
  it('keep their first and last line', () => {
    expect(redact(`${begin('RSA ')}\n${body}\n${end('RSA ')}\n`)).toBe(
      `${begin('RSA ')}\n[redacted:private-key]\n${end('RSA ')}\n`,
    );
  });

  it.each([
    ['with escaped line breaks', `"${begin('')}\\n${body}\\n${end('')}\\n"`],
    ['without their end', `${begin('OPENSSH ')}\n${body}\n${body.slice(0, 30)}`],
    ['without their beginning', `${body}\n${body}\n${end('EC ')}`],
    ['with line numbers', `   1→${begin('')}\n   2→${body}\n   3→${end('')}`],
    ['as a string of code', `"${begin('')}\\n" +\n  "${body}\\n" +\n  "${end('')}"`],
    ['in a diff', `+${begin('')}\n+${body}\n+${end('')}`],
  ])('%s lose their body', (_, text) => {
    expectMasked(text, body);
  });

  it.each([
    `if (text.includes('${begin('')}') && text.includes('${end('')}')) {}`,
    `${begin('')}\n...\n${end('')}`,
    `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`,
  ])('code, placeholders and certificates stay as they are', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('long values', () => {
  const encoded = btoa(`${body}\n`.repeat(60));

  it.each([
    ['bare', `client-key-data: ${encoded}\nnext: 1`],
    ['quoted', `{"client_secret": "${encoded}", "next": 1}`],
    ['in a shell', `export SIGNING_KEY=${encoded}\nexport NEXT=1`],
  ])('are masked to their end when they are %s', (_, text) => {
    const redacted = redact(text);
    expect(redacted.length).toBeLessThan(100);
    expect(redacted).toMatch(/next/i);
  });
});
