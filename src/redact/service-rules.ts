import type { PatternRule } from './rule.ts';

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const withUuid =
  (before: string, after = ''): (() => RegExp) =>
  () =>
    new RegExp(before + UUID + after, 'y');

/** Messaging, mail, payment, commerce, work tools, and formats of no vendor. */
export const SERVICE_RULES: readonly PatternRule[] = [
  { id: 'slack-token', keywords: ['xoxe.xox'], pattern: () => /xoxe\.xox[bp]-\d-[A-Za-z0-9]{100,512}/y },
  {
    id: 'slack-token',
    keywords: ['xoxa-', 'xoxb-', 'xoxc-', 'xoxd-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-'],
    pattern: () => /xox[a-eop-s]-[\w%/+-]{8,512}/y,
    entropy: 2,
  },
  {
    id: 'slack-token',
    keywords: ['xapp-'],
    pattern: () => /xapp-\d-[A-Z0-9]{6,20}-\d{6,20}-[a-z0-9]{16,128}/iy,
  },
  {
    id: 'slack-webhook',
    keywords: ['hooks.slack.com/'],
    pattern: () => /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9+/_]{30,80})/dy,
    group: 1,
    back: 0,
  },
  {
    id: 'discord-webhook',
    keywords: ['/api/webhooks/'],
    pattern: () => /\/api\/webhooks\/\d{16,20}\/([\w-]{60,512})/dy,
    group: 1,
    back: 0,
  },
  { id: 'discord-token', keywords: ['mfa.'], pattern: () => /mfa\.[\w-]{80,512}/y },
  {
    id: 'discord-token',
    keywords: ['.login("', ".login('", 'bot m', 'bot n', 'bot o'],
    pattern: () => /(?:\.login\(["']|bot )([MNO][\w-]{22,27}\.[\w-]{6,7}\.[\w-]{27,40})/diy,
    group: 1,
    back: 0,
  },
  {
    id: 'teams-webhook',
    keywords: ['/incomingwebhook/'],
    pattern: () => /\/IncomingWebhook\/([0-9a-z]{32}\/[0-9a-f-]{36}[\w/-]{0,128})/diy,
    group: 1,
    back: 0,
  },
  {
    id: 'zapier-webhook',
    keywords: ['hooks.zapier.com/'],
    pattern: () => /hooks\.zapier\.com\/hooks\/catch\/([A-Za-z0-9/]{10,512})/dy,
    group: 1,
    back: 0,
  },
  { id: 'telegram-token', keywords: [':aa'], pattern: () => /\d{8,10}:AA[\w-]{32,35}(?![\w-])/y, back: 10 },
  { id: 'sendgrid-key', keywords: ['sg.'], pattern: () => /SG\.[\w=-]{15,32}\.[\w=.-]{30,60}/y },
  { id: 'sendgrid-key', keywords: ['sg.'], pattern: () => /SG\.[\w=.-]{66}(?![\w=.-])/y, random: true },
  {
    id: 'mailgun-key',
    keywords: ['key-', 'pubkey-'],
    pattern: () => /(?:pub)?key-[0-9a-f]{32}(?![A-Za-z0-9])/y,
  },
  { id: 'mailchimp-key', keywords: ['-us'], pattern: () => /[0-9a-f]{32}-us\d{1,2}(?!\d)/y, back: 32 },
  { id: 'mailersend-key', keywords: ['mlsn.'], pattern: () => /mlsn\.[a-f0-9]{64}/y },
  {
    id: 'resend-key',
    keywords: ['re_'],
    pattern: () => /(?<!\w-)re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![\w])/y,
  },
  {
    id: 'brevo-key',
    keywords: ['xkeysib-', 'xsmtpsib-'],
    pattern: () => /x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}/y,
  },

  {
    id: 'stripe-key',
    keywords: ['sk_live_', 'sk_test_', 'sk_prod_', 'rk_live_', 'rk_test_', 'rk_prod_'],
    pattern: () => /[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,255}/y,
  },
  {
    id: 'webhook-secret',
    keywords: ['whsec_'],
    pattern: () => /whsec_[A-Za-z0-9+/=_-]{24,512}/y,
    random: true,
  },
  { id: 'square-token', keywords: ['sq0'], pattern: () => /sq0[a-z]{3}-[\w-]{22,512}/y },
  {
    id: 'square-token',
    keywords: ['eaaa'],
    pattern: () => /(?<![+/])EAAA[\w-]{22,60}(?![\w+/=-])/y,
    random: true,
    entropy: 4,
  },
  {
    id: 'facebook-token',
    keywords: ['eaa'],
    pattern: () => /(?<![+/])EAA[A-Z][A-Za-z0-9]{80,512}(?![+/])/y,
    entropy: 4,
  },
  {
    id: 'facebook-token',
    keywords: ['facebook', 'fb_', 'graph.fb'],
    pattern: () =>
      /(?:facebook|fb_|graph\.fb)[^\n]{0,60}?(?<!\d)(\d{15,16}(?:\||%7C|%)[\w-]{27,40})(?![\w-])/diy,
    group: 1,
    back: 0,
  },
  { id: 'instagram-token', keywords: ['igqv', 'igqw'], pattern: () => /IGQ[VW][\w-]{60,512}/y },
  {
    id: 'braintree-token',
    keywords: ['access_token$'],
    pattern: () => /access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}/y,
  },
  {
    id: 'razorpay-key',
    keywords: ['rzp_live_', 'rzp_test_'],
    pattern: () => /rzp_(?:live|test)_[A-Za-z0-9]{14}/y,
  },
  {
    id: 'shopify-token',
    keywords: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shpua_', 'shptka_'],
    pattern: () => /shp(?:at|ca|pa|ss|ua|tka)_[a-fA-F0-9]{32}/y,
  },
  {
    id: 'plaid-token',
    keywords: ['access-sandbox-', 'access-development-', 'access-production-'],
    pattern: withUuid('access-(?:sandbox|development|production)-'),
  },
  {
    id: 'flutterwave-key',
    keywords: ['flwseck', 'flwpubk'],
    pattern: () => /FLW(?:SECK|PUBK)(?:_TEST)?-[a-zA-Z0-9]{12,512}(?:-X)?/y,
  },
  {
    id: 'easypost-key',
    keywords: ['ezak', 'eztk'],
    pattern: () => /EZ[AT]K[A-Za-z0-9]{54}(?![A-Za-z0-9+/])/y,
  },
  { id: 'shippo-token', keywords: ['shippo_'], pattern: () => /shippo_(?:live|test)_[a-fA-F0-9]{40}/y },
  { id: 'duffel-token', keywords: ['duffel_'], pattern: () => /duffel_(?:test|live)_[\w=-]{43}/y },

  { id: 'notion-token', keywords: ['ntn_'], pattern: () => /ntn_[0-9]{11}[A-Za-z0-9]{35}/y },
  {
    id: 'notion-token',
    keywords: ['secret_'],
    pattern: () => /secret_[A-Za-z0-9]{43}(?![\w])/y,
    random: true,
  },
  {
    id: 'figma-token',
    keywords: ['figd_', 'figu_', 'figo_', 'figdr_'],
    pattern: () => /fig(?:d|u|o|dr)_[\w-]{38,512}/y,
  },
  {
    id: 'linear-key',
    keywords: ['lin_api_', 'lin_oauth_', 'lin_wh_'],
    pattern: () => /lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,512}/y,
  },
  { id: 'clickup-token', keywords: ['pk_'], pattern: () => /pk_\d{7,9}_[A-Z0-9]{32}/y },
  { id: 'klaviyo-key', keywords: ['pk_'], pattern: () => /pk_[a-f0-9]{34}(?![A-Za-z0-9])/y },
  { id: 'trello-token', keywords: ['atta'], pattern: () => /ATTA[a-f0-9]{64}(?:[A-F0-9]{8})?/y },
  { id: 'hubspot-token', keywords: ['pat-na', 'pat-eu'], pattern: withUuid('pat-(?:na|eu)\\d-') },
  { id: 'intercom-token', keywords: ['dg9ro'], pattern: () => /dG9rO[A-Za-z0-9+/]{40,512}={0,2}/y },
  { id: 'salesforce-token', keywords: ['00d'], pattern: () => /00D[A-Za-z0-9]{12,15}![\w.]{60,512}/y },
  { id: 'launchdarkly-key', keywords: ['sdk-', 'api-'], pattern: withUuid('(?:sdk|api)-', '(?![\\w-])') },
  { id: 'posthog-key', keywords: ['phx_', 'phc_'], pattern: () => /ph[xc]_[\w-]{40,512}/y },
  { id: 'statsig-key', keywords: ['secret-'], pattern: () => /secret-[A-Za-z0-9]{40,512}/y, random: true },
  {
    id: 'stytch-key',
    keywords: ['secret-live-', 'secret-test-'],
    pattern: () => /secret-(?:live|test)-[\w=-]{30,512}/y,
  },
  {
    id: 'configcat-key',
    keywords: ['configcat-sdk-1/'],
    pattern: () => /configcat-sdk-1\/[\w-]{22}\/[\w-]{22}/y,
  },
  {
    id: 'mapbox-token',
    keywords: ['sk.eyj', 'pk.eyj', 'tk.eyj'],
    pattern: () => /[spt]k\.eyJ[\w-]{40,512}\.[\w-]{20,512}/y,
  },
  {
    id: 'mapbox-token',
    keywords: ['pk.', 'sk.'],
    pattern: () => /[ps]k\.[A-Za-z0-9]{60}\.[A-Za-z0-9]{22}(?![\w])/y,
  },
  { id: 'contentful-token', keywords: ['cfpat-'], pattern: () => /CFPAT-[\w-]{43}/y },
  { id: 'typeform-token', keywords: ['tfp_'], pattern: () => /tfp_[\w.=-]{40,512}/y, random: true },
  { id: 'adafruit-key', keywords: ['aio_'], pattern: () => /aio_[A-Za-z0-9]{28}(?![\w])/y, random: true },
  { id: 'dropbox-token', keywords: ['sl.'], pattern: () => /sl\.(?:u\.)?[\w=-]{100,512}/y },
  { id: 'adobe-secret', keywords: ['p8e-'], pattern: () => /p8e-[A-Za-z0-9-]{32,512}/y },
  { id: 'frameio-token', keywords: ['fio-u-'], pattern: () => /fio-u-[\w=-]{64}/y },
  { id: 'canva-secret', keywords: ['cnvca'], pattern: () => /cnvca[\w-]{51}/y },
  {
    id: 'maxmind-key',
    keywords: ['_mmk'],
    pattern: () => /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![\w])/y,
    back: 36,
  },
  { id: 'defined-key', keywords: ['dnkey-'], pattern: () => /dnkey-[\w=-]{26}-[\w=-]{52}/y },
  {
    id: 'settlemint-token',
    keywords: ['sm_aat_', 'sm_pat_', 'sm_sat_'],
    pattern: () => /sm_[aps]at_[A-Za-z0-9]{16,512}/y,
  },
  { id: 'intra42-secret', keywords: ['s-s4t2'], pattern: () => /s-s4t2(?:ud|af)-[a-f0-9]{64}/iy },
  {
    id: 'twitch-token',
    keywords: ['oauth:'],
    pattern: () => /oauth:([a-z0-9]{30})(?![\w])/dy,
    group: 1,
    random: true,
  },
  {
    id: 'twitter-token',
    keywords: ['aaaaaaaaaaaaaaaaaaaa'],
    pattern: () => /A{20,64}[\w%]{60,512}/y,
    entropy: 3.5,
  },
  {
    id: 'configured-secret',
    keywords: ['contribsys__com'],
    pattern: () => /CONTRIBSYS__COM["']?[ \t]{0,4}[=:][ \t]{0,4}["']?([\w-]{4,512}:[\w-]{4,512})/diy,
    group: 1,
    back: 0,
  },

  {
    id: 'password',
    keywords: ['convertto-securestring'],
    pattern: () => /ConvertTo-SecureString[ \t]{1,8}(?:-String[ \t]{1,8})?["']([^"'\n$]{3,256})["']/diy,
    group: 1,
    allow: () => /^\[redacted:/,
  },
  { id: 'age-key', keywords: ['age-secret-key-1'], pattern: () => /AGE-SECRET-KEY-1[0-9A-Z]{58}/y },
  {
    id: 'jwt',
    keywords: ['eyj'],
    pattern: () =>
      /eyJ(?=([\w-]{12,1024}))\1\.(?:eyJ[\w\\/-]{10,8192}\.[\w\\/-]{0,2048}|[\w-]{0,1024}\.[\w-]{8,64}\.[\w-]{4,8192}\.[\w-]{16,64})={0,2}/y,
  },
  { id: 'jwt', keywords: ['zxlk'], pattern: () => /ZXlK[A-Za-z0-9+/_-]{60,512}={0,2}/y, entropy: 3.5 },
  {
    id: 'jwk',
    keywords: ['"d":', '"k":', '"dp":', '"dq":', '"qi":'],
    pattern: () => /"(?:d|k|dp|dq|qi)":[ ]?"([\w-]{40,512})"/dy,
    group: 1,
    back: 0,
    random: true,
  },
  {
    id: 'password-hash',
    keywords: ['$2a$', '$2b$', '$2y$'],
    pattern: () => /\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}/y,
    back: 0,
  },
  {
    id: 'password-hash',
    keywords: ['$apr1$', '$argon2'],
    pattern: () => /\$(?:apr1|argon2id?)\$[^\s:"']{20,512}/y,
    back: 0,
  },
];
