/** Lists tokens of developers' tools: for building, monitoring, searching and testing. */

import { isFake } from "../fake-values.ts";
import { isRealSecret } from "../judge-value.ts";
import { ALNUM, BASE64, HEX, type SecretShape, UUID, WORD } from "../shape.ts";
import { GENERATED, isGenerated, LETTERS, startsWith, token, tokens, WHOLE } from "../token.ts";

const TENS = Array.from({ length: 100 }, (_, at) => String(at).padStart(2, "0"));

/** The name of a function, such as those of OpenSSL. */
const NAME = /^[A-Za-z0-9]{1,12}(?:_[A-Za-z0-9]{1,12}){3,}$/;

export const TOOLS: readonly SecretShape[] = [
  ...tokens()`
    Tencent Cloud key id | IKID                     | ${ALNUM}{32}
    WakaTime token       | waka_sec_ waka_tok_ waka_ref_ | ${ALNUM}{40,}
    Trello token         | ATTA                     | [a-fA-F0-9]{60,80}
    Tazuna token         | tzt_ tzj_                | [A-Za-z0-9_-]{43}
    Vantage token        | vntg_tkn_                | ${ALNUM}{32,}
    Unleash token        | :development. :production. :staging. :default. :prod. :test. :dev. | (?<=[\w*\]-]:[a-z]{3,12}\.)${HEX}{56,64}
    Salad key            | salad_cloud_             | [A-Za-z0-9]{1,20}_[A-Za-z0-9]{7,235}
    Venice key           | VENICE_INFERENCE_KEY_ VENICE_ADMIN_KEY_ VENICE-ADMIN-KEY- | ${WORD}{32,}
  `,
  ...tokens(WHOLE)`
    Naver Cloud key                     | ncp_iam_                 | ${ALNUM}{16,60}
    Volcengine model key                | ark-                     | ${UUID}(?:-[a-z0-9]{4,8})?
    Yandex Cloud cookie                 | c1.                      | [A-Za-z0-9_-]{40,}={0,2}\.[A-Za-z0-9_-]{86}={0,2}
    Yandex captcha key                  | ysc1_ ysc2_              | ${ALNUM}{40,}
    Yandex language key                 | dict.1.1. pdct.1.1. trnsl.1.1. | [0-9]{8}T[0-9]{6}Z\.${HEX}{16}\.${HEX}{40}
    Tigris key                          | tsec_ tid_               | [A-Za-z0-9_+/-]{28,}
    NetBird token                       | nbp_                     | ${ALNUM}{36}
    n8n key                             | n8n_api_                 | ${ALNUM}{40,}
    Packagist token                     | packagist_               | [a-z]{3}_${HEX}{40,}
    Phylum token                        | ph0_                     | ${WORD}{43}
    Socket token                        | sktsec_                  | [A-Za-z0-9_-]{30,}
    SpiceDB token                       | sdbst_h256_ tc_          | [a-f0-9]{64,}
    Raycast token                       | rca_                     | ${HEX}{64}
    ZenHub key                          | zh_                      | ${HEX}{64}
    Choreo token                        | chp_eyJ                  | [A-Za-z0-9+/_-]{40,}={0,2}
    Mergify key                         | mka_                     | ${WORD}{40,}
    Outline key                         | ol_api_                  | ${ALNUM}{38}
    Shortcut token                      | sct_rw_ sct_ro_          | [A-Za-z0-9_]{30,}
    Retool token                        | retool_01                | ${ALNUM}{24,}
    Metabase key                        | mb_                      | ${BASE64}{43,44}=
    Mezmo key                           | sts_                     | ${HEX}{32}
    PostHog OAuth token                 | pha_ phr_                | ${ALNUM}{40,}
    Momento, Neptune or UploadThing key | eyJlbmRwb2ludCI6 eyJhcGlfYWRkcmVzcyI6 eyJhcGlLZXkiOi | ${BASE64}{40,}={0,2}
    Miro token                          | eyJtaXJvLm9yaWdpbi       | [A-Za-z0-9_-]{30,}
    Permit key                          | permit_key_              | ${ALNUM}{40,}
    Zep key                             | z_eyJ                    | ${WORD}{20,}\.${WORD}{20,}(?:\.${WORD}{20,})?
    Mem0 key                            | m0-                      | ${ALNUM}{40}
    Mixedbread key                      | mxb_ emb_                | ${ALNUM}{28,}
    PromptLayer key                     | pl_                      | ${HEX}{32}
    Runway key                          | key_                     | ${HEX}{128}
    Scrapfly key                        | scp-live- scp-test-      | ${HEX}{32}
    ScrapeGraph key                     | sgai-                    | ${UUID}
    Steel key                           | ste-                     | ${ALNUM}{40,}
    Turbopuffer key                     | tpuf_                    | ${ALNUM}{28,}
    Twelve Labs key                     | tlk_                     | [A-Z0-9]{24,40}
    Vectara key                         | zut_ zqt_ zwt_           | ${WORD}{36,}
    Vespa key                           | vespa_cloud_             | ${ALNUM}{30,}
    Warp key                            | wk-1.                    | ${HEX}{64}
    WunderGraph key                     | cosmo_                   | ${HEX}{32}
    You.com key                         | ydc-sk-                  | ${HEX}{16}-${ALNUM}{32}-${HEX}{8}
  `,
  ...tokens(GENERATED)`
    Nomic key           | nk-     | ${WORD}{43}
    Voyage key of Atlas | al-     | ${WORD}{43}
    Toolhouse key       | th-     | ${WORD}{43}
    Modal token         | ak- as- | ${ALNUM}{22}
    Trieve key          | tr-     | ${ALNUM}{32}
  `,
  token("Proxmox token", "PVEAPIToken=", `[^!\\s"']{1,80}![^=\\s"']{1,80}=(?<own>${UUID})`, {
    isReal: (candidate) => !isFake(candidate.replaceAll("-", "")),
  }),
  token("Tableau token", "==:", `${BASE64}{22}==:(?<own>${ALNUM}{32})`, { before: 22, isAmbiguous: true }),
  token(
    "UptimeRobot key",
    [...TENS.flatMap((digits) => [`u${digits}`, `m${digits}`]), "ur1", "ur2", "ur3"].join(" "),
    `[0-9]{3,9}-(?<own>${HEX}{24})`,
    WHOLE,
  ),
  token("Sanity token", startsWith("sk", LETTERS), `${ALNUM}{79,190}`, GENERATED),
  token("Pushbullet token", startsWith("o.", LETTERS), `${ALNUM}{31}`, GENERATED),
  token(
    "key of an unknown service",
    "sk_ sk1_ pk1_ apikey_ sbx_apikey_ secret_key_live_ secret_key_test_ secret_key_prod_",
    `(?:[a-z0-9]{2,8}_)?(?<own>${WORD}{24,130})`,
    {
      wordStart: true,
      isAmbiguous: true,
      isReal: (candidate) =>
        !NAME.test(candidate) &&
        (/^[a-f0-9]{32,}$/.test(candidate)
          ? !isFake(candidate)
          : isGenerated(candidate) || isRealSecret(candidate)),
    },
  ),
];
