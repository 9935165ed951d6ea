import { type PatternRule, rule } from './rule.ts';

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const withUuid =
  (before: string, after = ''): (() => RegExp) =>
  () =>
    new RegExp(before + UUID + after, 'y');

/** Messaging, mail, payment, commerce, work tools, and formats of no vendor. */
export const SERVICE_RULES: readonly PatternRule[] = [
  rule('slack-token', 'xoxe.xox', () => /xoxe\.xox[bp]-\d-[A-Za-z0-9]{100,512}/y),
  rule('slack-token', 'xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs-', () => /xox[a-eop-s]-[\w%/+-]{8,512}/y, {
    entropy: 2,
  }),
  rule('slack-token', 'xapp-', () => /xapp-\d-[A-Z0-9]{6,20}-\d{6,20}-[a-z0-9]{16,128}/iy),
  rule(
    'slack-webhook',
    'hooks.slack.com/',
    () => /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9+/_]{30,80})/dy,
    { group: 1, back: 0 },
  ),
  rule('discord-webhook', '/api/webhooks/', () => /\/api\/webhooks\/\d{16,20}\/([\w-]{60,512})/dy, {
    group: 1,
    back: 0,
  }),
  rule('discord-token', 'mfa.', () => /mfa\.[\w-]{80,512}/y),
  rule(
    'discord-token',
    ['.login("', ".login('", 'bot m', 'bot n', 'bot o'],
    () => /(?:\.login\(["']|bot )([MNO][\w-]{22,27}\.[\w-]{6,7}\.[\w-]{27,40})/diy,
    { group: 1, back: 0 },
  ),
  rule('teams-webhook', '/incomingwebhook/', () => /\/IncomingWebhook\/([0-9a-z]{32}\/[0-9a-f-]{36}[\w/-]{0,128})/diy, {
    group: 1,
    back: 0,
  }),
  rule('zapier-webhook', 'hooks.zapier.com/', () => /hooks\.zapier\.com\/hooks\/catch\/([A-Za-z0-9/]{10,512})/dy, {
    group: 1,
    back: 0,
  }),
  rule('telegram-token', '/bot', () => /\/bot(\d{8,10}:[\w-]{35})(?![\w-])/dy, { group: 1, back: 0 }),
  rule('telegram-token', ':aa', () => /\d{8,10}:AA[\w-]{32,35}(?![\w-])/y, { back: 10 }),
  rule('sendgrid-key', 'sg.', () => /SG\.[\w=-]{15,32}\.[\w=.-]{30,60}/y),
  rule('sendgrid-key', 'sg.', () => /SG\.[\w=.-]{66}(?![\w=.-])/y, { random: true }),
  rule('mailgun-key', 'key- pubkey-', () => /(?:pub)?key-[0-9a-f]{32}(?![A-Za-z0-9])/y),
  rule('mailchimp-key', '-us', () => /[0-9a-f]{32}-us\d{1,2}(?!\d)/y, { back: 32 }),
  rule('mailersend-key', 'mlsn.', () => /mlsn\.[a-f0-9]{64}/y),
  rule('resend-key', 're_', () => /(?<!\w-)re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![\w])/y),
  rule('brevo-key', 'xkeysib- xsmtpsib-', () => /x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}/y),

  rule(
    'stripe-key',
    'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_',
    () => /[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,255}/y,
  ),
  rule('webhook-secret', 'whsec_', () => /whsec_[A-Za-z0-9+/=_-]{24,512}/y, { random: true }),
  rule('square-token', 'sq0', () => /sq0[a-z]{3}-[\w-]{22,512}/y),
  rule('square-token', 'eaaa', () => /(?<![+/])EAAA[\w-]{22,60}(?![\w+/=-])/y, { random: true, entropy: 4 }),
  rule('facebook-token', 'eaa', () => /(?<![+/])EAA[A-Za-z0-9]{80,512}(?![+/])/y, { entropy: 4 }),
  rule(
    'facebook-token',
    'facebook fb_ graph.fb',
    () => /(?:facebook|fb_|graph\.fb)[^\n]{0,60}?(?<!\d)(\d{15,16}(?:\||%7C|%)[\w-]{27,40})(?![\w-])/diy,
    { group: 1, back: 0 },
  ),
  rule('instagram-token', 'igqv igqw', () => /IGQ[VW][\w-]{60,512}/y),
  rule('braintree-token', 'access_token$', () => /access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}/y),
  rule('razorpay-key', 'rzp_live_ rzp_test_', () => /rzp_(?:live|test)_[A-Za-z0-9]{14}/y),
  rule(
    'shopify-token',
    'shpat_ shpca_ shppa_ shpss_ shpua_ shptka_',
    () => /shp(?:at|ca|pa|ss|ua|tka)_[a-fA-F0-9]{32}/y,
  ),
  rule(
    'plaid-token',
    'access-sandbox- access-development- access-production-',
    withUuid('access-(?:sandbox|development|production)-'),
  ),
  rule('flutterwave-key', 'flwseck flwpubk', () => /FLW(?:SECK|PUBK)(?:_TEST)?-[a-zA-Z0-9]{12,512}(?:-X)?/y),
  rule('easypost-key', 'ezak eztk', () => /EZ[AT]K[A-Za-z0-9]{54}(?![A-Za-z0-9+/])/y),
  rule('shippo-token', 'shippo_', () => /shippo_(?:live|test)_[a-fA-F0-9]{40}/y),
  rule('duffel-token', 'duffel_', () => /duffel_(?:test|live)_[\w=-]{43}/y),

  rule('asana-token', 'asana', () => /asana[^\n]{0,60}?\b([012]\/\d{10,20}(?:\/\d{10,20})?:[0-9a-f]{32})/diy, {
    group: 1,
    back: 0,
  }),
  rule('asana-token', '1/12 2/12 1/11 2/11', () => /[12]\/1[12]\d{8,18}(?:\/\d{10,20})?:[0-9a-f]{32}(?![\w])/y),
  rule(
    'twilio-key',
    [...'0123456789abcdef'].map((digit) => `sk${digit}`),
    () => /SK[0-9a-f]{32}(?![A-Za-z0-9])/y,
  ),
  rule('notion-token', 'ntn_', () => /ntn_[0-9]{11}[A-Za-z0-9]{35}/y),
  rule('notion-token', 'secret_', () => /secret_[A-Za-z0-9]{43}(?![\w])/y, { random: true }),
  rule('figma-token', 'figd_ figu_ figo_ figdr_', () => /fig(?:d|u|o|dr)_[\w-]{38,512}/y),
  rule('linear-key', 'lin_api_ lin_oauth_ lin_wh_', () => /lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,512}/y),
  rule('clickup-token', 'pk_', () => /pk_\d{7,9}_[A-Z0-9]{32}/y),
  rule('klaviyo-key', 'pk_', () => /pk_[a-f0-9]{34}(?![A-Za-z0-9])/y),
  rule('trello-token', 'atta', () => /ATTA[a-f0-9]{64}(?:[A-F0-9]{8})?/y),
  rule('hubspot-token', 'pat-na pat-eu', withUuid('pat-(?:na|eu)\\d-')),
  rule('intercom-token', 'dg9ro', () => /dG9rO[A-Za-z0-9+/]{40,512}={0,2}/y),
  rule('salesforce-token', '00d', () => /00D[A-Za-z0-9]{12,15}![\w.]{60,512}/y),
  rule('launchdarkly-key', 'sdk- api-', withUuid('(?:sdk|api)-', '(?![\\w-])')),
  rule('posthog-key', 'phx_ phc_', () => /ph[xc]_[\w-]{40,512}/y),
  rule('statsig-key', 'secret-', () => /secret-[A-Za-z0-9]{40,512}/y, { random: true }),
  rule('stytch-key', 'secret-live- secret-test-', () => /secret-(?:live|test)-[\w=-]{30,512}/y),
  rule('configcat-key', 'configcat-sdk-1/', () => /configcat-sdk-1\/[\w-]{22}\/[\w-]{22}/y),
  rule('mapbox-token', 'sk.eyj pk.eyj tk.eyj', () => /[spt]k\.eyJ[\w-]{40,512}\.[\w-]{20,512}/y),
  rule('mapbox-token', 'pk. sk.', () => /[ps]k\.[A-Za-z0-9]{60}\.[A-Za-z0-9]{22}(?![\w])/y),
  rule('contentful-token', 'cfpat-', () => /CFPAT-[\w-]{43}/y),
  rule('typeform-token', 'tfp_', () => /tfp_[\w.=-]{40,512}/y, { random: true }),
  rule('adafruit-key', 'aio_', () => /aio_[A-Za-z0-9]{28}(?![\w])/y, { random: true }),
  rule('dropbox-token', 'sl.', () => /sl\.(?:u\.)?[\w=-]{100,512}/y),
  rule('adobe-secret', 'p8e-', () => /p8e-[A-Za-z0-9-]{32,512}/y),
  rule('frameio-token', 'fio-u-', () => /fio-u-[\w=-]{64}/y),
  rule('canva-secret', 'cnvca', () => /cnvca[\w-]{51}/y),
  rule('maxmind-key', '_mmk', () => /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![\w])/y, { back: 36 }),
  rule('defined-key', 'dnkey-', () => /dnkey-[\w=-]{26}-[\w=-]{52}/y),
  rule('settlemint-token', 'sm_aat_ sm_pat_ sm_sat_', () => /sm_[aps]at_[A-Za-z0-9]{16,512}/y),
  rule('intra42-secret', 's-s4t2', () => /s-s4t2(?:ud|af)-[a-f0-9]{64}/iy),
  rule('twitch-token', 'oauth:', () => /oauth:([a-z0-9]{30})(?![\w])/dy, { group: 1, random: true }),
  rule('twitter-token', 'aaaaaaaaaaaaaaaaaaaa', () => /A{20,64}[\w%]{60,512}/y, { entropy: 3.5 }),
  rule(
    'configured-secret',
    'contribsys__com',
    () => /CONTRIBSYS__COM["']?[ \t]{0,4}[=:][ \t]{0,4}["']?([\w-]{4,512}:[\w-]{4,512})/diy,
    { group: 1, back: 0 },
  ),

  rule(
    'password',
    'convertto-securestring',
    () => /ConvertTo-SecureString[ \t]{1,8}(?:-String[ \t]{1,8})?["']([^"'\n$]{3,256})["']/diy,
    { group: 1, allow: () => /^\[redacted:/ },
  ),
  rule('age-key', 'age-secret-key-1', () => /AGE-SECRET-KEY-1[0-9A-Z]{58}/y),
  rule(
    'jwt',
    'eyj',
    () =>
      /eyJ(?=([\w-]{12,1024}))\1\.(?:eyJ[\w\\/-]{6,8192}\.[\w\\/-]{0,2048}|[\w-]{0,1024}\.[\w-]{8,64}\.[\w-]{4,8192}\.[\w-]{16,64})={0,2}/y,
  ),
  rule('jwt', 'zxlk', () => /ZXlK[A-Za-z0-9+/_-]{60,512}={0,2}/y, { entropy: 3.5 }),
  rule('jwk', '"d": "k": "dp": "dq": "qi":', () => /"(?:d|k|dp|dq|qi)":[ ]?"([\w-]{40,512})"/dy, {
    group: 1,
    back: 0,
    random: true,
  }),
];
