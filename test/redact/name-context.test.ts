import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../src/redact/index.ts';
import { ASSIGNMENTS, isGone } from './contexts.ts';
import { fill, seeded } from './formats.ts';

const WORDS = 'pelican gravel lantern saddle orchid copper thimble walnut meadow harbour'.split(' ');
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const MADE_UP: readonly ((one: string, other: string, digit: number) => string)[] = [
  (one, other, digit) => `${one}-${other}-${digit}`,
  (one, other, digit) => `${capital(one)}-${other}${digit}`,
  (one, other, digit) => `${one}${digit}-${other}`,
];
const random = fill('<a:32>', seeded(11));
const hex = fill('<h:32>', seeded(12));
const uuid = fill('<uuid>', seeded(13));

describe('a password of words and a number', () => {
  it('is masked in every syntax of an assignment', () => {
    const anyCase = fc.tuple(
      fc.constantFrom('password', 'DB_PASSWORD', 'smtpPassword', 'passphrase', 'redis_passwd'),
      fc.constantFrom(...MADE_UP),
      fc.constantFrom(...WORDS),
      fc.constantFrom(...WORDS),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(...ASSIGNMENTS),
    );
    fc.assert(
      fc.property(anyCase, ([name, make, one, other, digit, assign]) => {
        const secret = make(one, other, digit);
        expect(isGone(secret, redact(assign(name, secret))), assign(name, secret)).toBe(true);
      }),
      { numRuns: 1500, seed: 1 },
    );
  });

  it.each([
    'password = pelicanLamp4\nuser = bob',
    'MQTT_PASSWORD=pelican_lamp4',
    'tool set password=pelican_Lamp4 --force',
    'Clave de acceso: pelican_Lamp4',
    'bridge_password pelican9Lamp',
    'the admin password (pelican-lamp4) still works',
    'Created user bob with password pelicanLamp4x',
    'https://example.org/?user=bob&password=pelicanLamp&page=1',
    'user=bob&amp;password=pelicanLamp4</url>',
    'password=[pelicanLamp4]}',
    'psk \'"pelicanLamp4"\'',
    'パスワードは「pelican_Lamp4」です',
    'le mdp root c’est pelican-lamp4'.replace('’', "'"),
    'sign in as bob@example.org with Pelican#lamp4 and click',
    'Default login: `admin` / `pelican-lamp-4`',
  ])('is masked in %s', (text) => {
    expect(redact(text)).toContain('[redacted:');
    expect(redact(text)).not.toMatch(/pelican.?lamp/i);
  });

  it('is masked as a plain word next to its user, in a file and in a table', () => {
    expect(redact('redis:\n  host: r1\n  password: pelicans\n')).toBe(
      'redis:\n  host: r1\n  password: [redacted:password]\n',
    );
    expect(redact('host,login,pass\nnas,admin,pelicans\n')).toBe('host,login,pass\nnas,admin,[redacted:secret]\n');
  });

  it.each([
    'password: string\nuser: string',
    '  email: email,\n  password: hashed\n}',
    'password = hashed_value2(input)',
    'The password policy is level-2',
    'the master password for the cluster named cluster-2',
    'secret: frontend-registry-2',
    "'password' => 'required|string|min:8|confirmed',",
    'ubuntu22.04 asks for a password',
    'pass: 97, fail: 3',
  ])('is not seen in %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('a generated value', () => {
  it.each([
    [`Secret key (hex): ${hex}`, hex],
    [`Secret ID    = ${uuid}`, uuid],
    [`$token = getenv('API_TOKEN') ?: '${hex}';`, hex],
    [`const key = process.env.CRYPTO_KEY ?? "${hex}";`, hex],
    [`parser.add_argument("--api-token", default="${random}")`, random],
    [`constexpr std::string_view kEncryptionKey{"${hex}"};`, hex],
    [`connectPassword = Just "${random}"`, random],
    [`Dim strPwd As String = "${random}"`, random],
    [`setOption(SSH_PASSWORD, "${random}")`, random],
    [`[('email', 'a'), ('password', '${random}')]`, random],
    [`Password string \`env:"DB_PASSWORD" envDefault:"${random}"\``, random],
    [`{"ParameterKey":"DbPassword","ParameterValue":"${random}"}`, random],
    [`acl { tokens { agent = "${uuid}" } }`, uuid],
    [`{"gitlab-token": {"git.example.org": "${random}"}}`, random],
    [`secrets := map[string]string{"forge": "${hex}"}`, hex],
    [`${random} # Acme API key`, random],
    [`COPY public.clients (id, name, client_secret) FROM stdin;\n1\tweb\t${random}\n\\.`, random],
    [`connect.sid=s%3A${random}.${random}`, random],
    [`next=%252Fcb%253Ftoken%253D${random}`, random],
    [`db_password:\n  description: for the pool\n  content: ${random}`, random],
    [`crypto.createCipheriv('aes-128-cbc', Buffer.from('${hex}', 'hex'), iv)`, hex],
    [`{"password_hash": "${hex}"}`, hex],
    [`Authorization: Hawk id="a", nonce="b", mac="${random}="`, random],
    ['License key: 7XK2M-Q9R4T-LW8VB-3HZ6N', '7XK2M-Q9R4T-LW8VB'],
    ['Security Key: EsT6 qPF7 wamn oVM2 BERH JYyb', 'qPF7 wamn oVM2'],
    ['A temporary password is generated for root@localhost: q;Vk2pL)xW9r', 'Vk2pL)xW9r'],
    ['SEED_PHRASE=ribbon velvet crane oyster glide monitor antique lunar fossil embark timber sorry', 'velvet crane'],
    ['BACKUP_PASSPHRASE="four grey herons standing"', 'grey herons'],
  ])('is masked in %s', (text, secret) => {
    expect(redact(text)).not.toContain(secret);
  });

  it.each([
    `${fill('<h:40>', seeded(14))} Rotate the token`,
    `credentials: { clientId: "${uuid}", region: "eu" }`,
    '"tokens": ["hello", "world"]',
    'user.signingkey=0123456789ABCDEF0123456789ABCDEF01234567',
    'amqp://guest:guest@localhost:5672/',
    '"ClientSecret": "CLIENT_SECRET",\n"LastModifiedDate": 1',
    'xoxb-your-token-here',
  ])('is left in %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});
