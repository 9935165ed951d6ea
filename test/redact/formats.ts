/**
 * How credentials of vendors look, as templates: `{kind:length}` stands for random characters.
 * a letters and digits, w those and `_` `-`, l lower-case letters, z lower-case letters and digits, u upper-case letters
 * and digits, L letters, d digits, h hex, H hex in upper case, b base64; `{uuid}` an identifier.
 */
export const FORMATS: readonly string[] = [
  // Clouds and hosting
  'AKIA{u:16}', 'ASIA{u:16}', 'ABIA{u:16}', 'ABSK{b:120}', 'bedrock-api-key-{b:60}', 'amzn.mws.{uuid}',
  'AIza{w:35}', 'GOCSPX-{w:28}', 'ya29.{w:120}', '1//0{w:40}', 'AAAA{w:7}:APA91{w:134}',
  '{a:3}8Q~{w:34}', '{a:3}7Q~{w:31}', '{a:52}JQQJ99{a:26}', '{b:42}+ACR{a:6}', '{b:82}+ASt{a:4}==', '{a:76}AZDO{a:4}',
  'LTAI{a:20}', 'AKID{a:32}', 'AQVN{w:36}', 'dop_v1_{h:64}', 'doo_v1_{h:64}', 'dor_v1_{h:64}', 'SCW{u:17}', 'ucat_{a:28}',
  'cfut_{a:48}', 'cfat_{a:48}', 'v1.0-{h:24}-{h:146}', 'HRKU-AA{w:58}', 'fo1_{w:43}', 'fm2_{b:120}', 'rnd_{a:28}',
  'vcp_{a:56}', 'vck_{a:56}', 'nfp_{a:40}', 'sbp_{h:40}', 'sb_secret_{w:31}', 'pscale_tkn_{w:43}', 'pscale_pw_{w:43}',
  'napi_{z:64}', 'npg_{a:16}', 'CCDB1_{a:22}_{a:40}', 'mdb_sa_sk_{w:40}', 'AVNS_{w:19}', '4b1d{a:38}',
  'dapi{h:32}', 'dapi{h:32}-2', 'dbtc_{w:40}', 'dp.pt.{a:43}', 'dp.st.dev.{a:43}', 'hvs.{w:95}', 'hvb.{w:150}',
  '{a:14}.atlasv1.{w:67}', 'pul-{h:40}', 'ico-{a:32}', 'tk-us-{w:48}', 'A3-{u:6}-{u:6}-{u:5}-{u:5}-{u:5}-{u:5}',
  'ops_eyJ{b:260}', 'tskey-auth-{a:16}-{a:32}', 'tskey-api-{a:12}-{a:32}',
  'SWMTKN-1-{z:50}-{z:25}', 'sha256~{w:43}', 'dt0c01.{u:24}.{u:64}', 'glc_{b:100}', 'glsa_{a:32}_{h:8}', 'eyJrIjoi{b:90}',
  'NRAK-{u:27}', 'NRII-{w:32}', 'NRJS-{h:19}', '{h:36}NRAL', 'sntryu_{h:64}', 'sntrys_eyJpYXQiO{b:140}_{b:43}', 'hcaik_{z:58}',
  // Source hosting, registries, CI
  'ghp_{a:36}', 'gho_{a:36}', 'ghu_{a:36}', 'ghs_{a:36}', 'ghr_{a:76}', 'github_pat_{a:22}_{a:59}',
  'glpat-{w:20}', 'glpat-{w:40}.01.{z:9}', 'glptt-{h:40}', 'gldt-{w:20}', 'glrt-{w:20}', 'glft-{w:20}', 'glimt-{w:25}',
  'glagent-{w:50}', 'gloas-{h:64}', 'glsoat-{w:20}', 'glffct-{w:20}', 'glcbt-64_{w:20}', 'GR1348941{w:20}',
  'ATATT3{w:186}', 'ATCTT3{w:186}', 'ATBB{a:32}', 'npm_{a:36}', 'pypi-AgEIcHlwaS5vcmc{w:120}', 'rubygems_{h:48}',
  'cio{a:32}', 'oy2{z:43}', 'CLOJARS_{z:60}', 'packagist_ort_{h:68}', 'dckr_pat_{w:27}', 'dckr_oat_{w:32}', 'AKCp{a:69}', 'cmVmd{a:59}',
  'CCIPAT_{a:22}_{h:40}', 'bkua_{h:40}', 'pat.{w:22}.{h:24}.{a:20}', 'API-{u:26}', 'squ_{h:40}', 'sqp_{h:40}', 'sgp_{h:40}',
  'sgp_{h:16}_{h:40}', 'snyk_uat.{h:8}.{w:60}', 'PMAK-{h:24}-{h:34}', 'ddp_{a:36}', 'pnu_{a:36}', 'rdme_{z:70}', 'waka_{uuid}',
  'AIK_CI_{a:40}', 'sc_{z:20}.{z:4}.acc-{z:20}.{b:80}',
  // Models
  'sk-ant-api03-{w:93}AA', 'sk-ant-admin01-{w:93}AA', 'sk-ant-oat01-{w:86}', 'sk-proj-{w:120}', 'sk-svcacct-{w:120}', 'sk-admin-{w:120}',
  'sk-{a:20}T3BlbkFJ{a:20}', 'sk-{h:32}', 'sk-{a:48}', 'sk-or-v1-{h:64}', 'sk-lf-{uuid}', 'gsk_{a:52}', 'xai-{a:80}', 'pplx-{a:48}', 'r8_{a:37}',
  'hf_{L:34}', 'hf_{a:34}', 'api_org_{L:34}', 'nvapi-{w:64}', 'csk-{z:48}', 'tgp_v1_{w:43}', 'fw_{a:22}', 'lsv2_pt_{h:32}_{h:10}', 'lsv2_sk_{h:32}_{h:10}',
  'pcsk_{a:6}_{a:63}', 'pa-{w:43}', 'jina_{a:60}', 'sk_{h:48}', 'tvly-dev-{a:32}', 'fc-{h:32}', 'e2b_{h:40}', 'rpa_{u:44}', 'wandb_v1_{a:77}',
  'key_{h:64}', 'apk_{b:90}', 'BSA{a:28}',
  // Messaging, mail, payment, work tools
  'xoxb-{d:12}-{d:12}-{a:24}', 'xoxp-{d:12}-{d:12}-{d:12}-{h:32}', 'xoxe.xoxp-1-{a:166}', 'xoxe-1-{a:146}', 'xoxs-{d:10}-{d:10}-{d:10}-{h:10}',
  'xoxa-2-{a:40}', 'xoxr-{a:40}', 'xoxc-{d:12}-{d:12}-{d:12}-{h:64}', 'xapp-1-A{u:10}-{d:13}-{h:64}', 'mfa.{w:84}', '{d:9}:AA{w:33}', '{d:10}:AA{w:33}',
  'SK{h:32}', 'SG.{w:22}.{w:43}', 'key-{h:32}', '{h:32}-us12', 'mlsn.{h:64}', 're_{a:8}_{a:24}', 'xkeysib-{h:64}-{a:16}',
  'sk_live_{a:24}', 'sk_test_{a:99}', 'rk_live_{a:24}', 'rk_prod_{a:99}', 'whsec_{a:32}', 'sq0atp-{w:22}', 'sq0csp-{w:43}', 'EAAA{w:60}', 'EAAC{a:180}',
  'IGQV{w:140}', 'access_token$production${z:16}${h:32}', 'rzp_live_{a:14}', 'shpat_{h:32}', 'shpss_{h:32}', 'shpca_{h:32}', 'shppa_{h:32}',
  'access-production-{uuid}', 'access-sandbox-{uuid}', 'FLWSECK-{h:32}-X', 'FLWSECK_TEST-{h:32}-X', 'EZAK{a:54}', 'EZTK{a:54}', 'shippo_live_{h:40}', 'duffel_live_{w:43}',
  'ntn_{d:11}{a:35}', 'secret_{a:43}', 'figd_{w:40}', 'lin_api_{a:40}', 'lin_oauth_{h:64}', 'pk_{d:8}_{u:32}', 'pk_{h:34}', 'ATTA{h:64}{H:8}', 'pat-na1-{uuid}',
  'dG9rO{b:60}', '00D{a:15}!{a:96}', 'sdk-{uuid}', 'phx_{a:47}', 'secret-{a:43}', 'secret-live-{w:40}', 'configcat-sdk-1/{w:22}/{w:22}', 'sk.eyJ1{w:80}.{w:22}',
  'CFPAT-{w:43}', 'tfp_{w:59}', 'aio_{a:28}', 'sl.{w:135}', 'p8e-{a:32}', 'fio-u-{w:64}', 'cnvca{w:51}', '{a:6}_{a:29}_mmk', 'dnkey-{w:26}-{w:52}', 'sm_pat_{a:16}',
  's-s4t2ud-{h:64}', 's-s4t2af-{h:64}', 'AAAAAAAAAAAAAAAAAAAAAA{a:90}', 'AGE-SECRET-KEY-1{u:58}', 'eyJ{w:33}.eyJ{w:90}.{w:43}', 'eyJhbGciOiJub25lIn0.eyJ{w:24}.',
  '$2b$10${a:53}',
];

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const ALPHABETS: Readonly<Record<string, string>> = {
  a: UPPER + LOWER + DIGITS,
  w: `${UPPER + LOWER + DIGITS}_-`,
  l: LOWER,
  z: LOWER + DIGITS,
  u: UPPER + DIGITS,
  L: UPPER + LOWER,
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  H: `${DIGITS}ABCDEF`,
  b: `${UPPER + LOWER + DIGITS}+/`,
};

/** A number from 0 up to, but not including, `below`. */
export type Random = (below: number) => number;

/** Fills a template; the first and last characters of a run are letters or digits, as vendors have them. */
export function fill(template: string, random: Random): string {
  return template
    .replaceAll('{uuid}', '{h:8}-{h:4}-4{h:3}-a{h:3}-{h:12}')
    .replace(/\{(\w):(\d+)\}/g, (_, kind: string, length: string) => run(kind, Number(length), random));
}

function run(kind: string, length: number, random: Random): string {
  const all = ALPHABETS[kind] ?? '';
  const edges = all.replace(/[^A-Za-z0-9]/g, '');
  return Array.from({ length }, (_, i) => {
    const alphabet = i === 0 || i === length - 1 ? edges : all;
    return alphabet[random(alphabet.length)];
  }).join('');
}

/** A generator with a seed, so that a failure can be repeated. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
