import { createRandom, createZipf } from './random.mjs';

const FUNCTION_WORDS =
  'the to a and is in it of that this for with on not we be as was can you but from at if now so or are have will should all what when an do there only first then one by after before also which no more how up use out see still here let me I my your our its into than them just because where why does did has had would could other same new old next last both each';
const CODING_WORDS =
  'test file error function code run build change fix add check call type value line command failed import module config server test client return string list name path user data request response commit branch version package install update remove index query result output input option default key token cache log message session thread process memory table column row schema migration database connection timeout retry hook handler event state store parse render format lint compile deploy release merge rebase conflict review patch diff stack trace exception null undefined async await promise loop array object class method field property interface generic template component style layout button form page route middleware auth login permission role scope header body cookie payload json yaml env variable secret region bucket queue worker job cron metric alert dashboard latency throughput benchmark profile leak race lock mutex deadlock buffer stream chunk offset cursor encoding unicode regex pattern match token snapshot fixture mock assertion coverage flaky suite runner container image volume network port socket proxy redis postgres sqlite docker kubernetes terraform webpack vite eslint prettier typescript python rust golang';
const ACCENTED =
  'café naïve résumé déployer fenêtre échec problème requête schéma größe übergabe schlüssel änderung prüfung straße señal configuración función año página versão função não atenção città perché più żółty błąd über smörgås œuvre';
const CJK_PHRASES =
  '修复 失败 测试 运行 数据库 连接 超时 配置文件 用户 登录 错误信息 接口 返回 请求 部署 服务器 缓存 索引 查询 优化 性能 重构 代码 提交 分支 合并 冲突 版本 依赖 安装 更新 删除 日志 テスト 失敗 修正 関数 変数 設定 ファイル 接続 データベース エラー 実行 結果 検索 履歴 更新 削除 追加 確認 お願いします 動作しません';
const VERBS =
  'get set create delete update find load save parse render build fetch send handle validate compute merge resolve open close read write check apply reset';
const NOUNS =
  'User Session Token Config Order Invoice Project File Message Event Index Query Page Route Cache Job Queue Account Role Key Path Record Schema Table Node Tree Graph Image Report Policy Plan';
const TAILS =
  'ById ByName List Map Handler Service Store Factory Error Result Options State Count Async All Once Or Default If Missing Page Batch';
const FOLDERS =
  'src lib test app server client packages core api web auth store utils hooks models routes services components db jobs scripts';
const EXTENSIONS = 'ts ts ts tsx js mjs py go rs json yaml md sql css';
const FLAGS =
  '--no-verify --force --watch --dry-run --save-dev --no-cache --verbose --json --fix --all --depth=1 --rebase --amend --coverage --runInBand --exit-code --hard --since=yesterday --name-only --frozen-lockfile --max-old-space-size=4096 --inspect-brk -rf -la -n -v';
const ERROR_CODES =
  'ECONNREFUSED ENOENT EACCES EADDRINUSE ETIMEDOUT EPIPE ENOSPC ERR_MODULE_NOT_FOUND ERR_REQUIRE_ESM TS2345 TS2322 TS7006 TS2307 E0308 E0382 E0499 ELIFECYCLE ERESOLVE HTTP404 HTTP500 HTTP429 SIGKILL SIGSEGV 42P01 23505 40001 CVE-2021-44228 EAI_AGAIN ERR_PNPM_OUTDATED_LOCKFILE';

const words = (text) => [...new Set(text.split(' '))];

/** The words, identifiers, paths and so on of generated texts, the same on every machine. */
export function createVocabulary() {
  const random = createRandom('vocabulary');
  const plain = words(`${FUNCTION_WORDS} ${CODING_WORDS}`);
  const invented = inventWords(random, 30_000 - plain.length, new Set(plain));
  return {
    words: createZipf([...plain, ...invented]),
    identifiers: createZipf(inventIdentifiers(random, 8_000, invented), 60),
    paths: createZipf(inventPaths(random, 4_000, invented), 60),
    flags: words(FLAGS),
    errorCodes: words(ERROR_CODES),
    accented: words(ACCENTED),
    cjk: words(CJK_PHRASES),
  };
}

const STARTS = 'b br c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sh sl st t th tr v w z'.split(' ');
const MIDDLES = 'a e i o u ai ea ou io'.split(' ');
const ENDS = ' n r s t l m d ck st nd rt'.split(' ');

/** Invents a pronounceable word. @param {ReturnType<typeof createRandom>} random */
export function inventWord(random) {
  let word = '';
  for (let syllables = random.between(2, 4); syllables > 0; syllables--) {
    word += random.pick(STARTS) + random.pick(MIDDLES) + (random.chance(0.4) ? random.pick(ENDS) : '');
  }
  return word;
}

function inventWords(random, count, taken) {
  const invented = [];
  while (invented.length < count) {
    const word = inventWord(random);
    if (taken.has(word)) continue;
    taken.add(word);
    invented.push(word);
  }
  return invented;
}

function inventIdentifiers(random, count, invented) {
  const [verbs, nouns, tails] = [VERBS, NOUNS, TAILS].map((text) => text.split(' '));
  const found = new Set();
  while (found.size < count) {
    const rare = random.chance(0.3) ? capital(random.pick(invented)) : random.pick(nouns);
    const camel = random.pick(verbs) + rare + (random.chance(0.6) ? random.pick(tails) : '');
    const style = random.below(10);
    if (style < 6) found.add(camel);
    else if (style < 9) found.add(camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    else found.add(camel.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase());
  }
  return [...found];
}

function inventPaths(random, count, invented) {
  const [folders, extensions] = [FOLDERS, EXTENSIONS].map((text) => text.split(' '));
  const found = new Set();
  while (found.size < count) {
    const depth = random.between(1, 4);
    const parts = Array.from({ length: depth }, () => random.pick(folders));
    const name = random.chance(0.5)
      ? random.pick(invented)
      : `${random.pick(VERBS.split(' '))}-${random.pick(invented)}`;
    found.add(`${parts.join('/')}/${name}.${random.pick(extensions)}`);
  }
  return [...found];
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}
