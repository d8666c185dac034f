/** Lists keys and tokens of clouds, of databases and of monitoring services. */
import { ALNUM, BASE64, HEX, type SecretShape, UUID, WORD } from "../shape.ts";
import { AMBIGUOUS, AMBIGUOUS_WHOLE, startsWith, token, tokens, WHOLE } from "../token.ts";

/** The secret key on the same line or on the next one. */
const KEY_BESIDE = `(?:["']?[\\s,;:|/=]{1,12}["']?${BASE64}{40}(?!${BASE64}))?`;

export const CLOUDS: readonly SecretShape[] = [
  ...tokens()`
    AWS access key id           | AKIA ASIA ABIA ACCA      | (?<own>[A-Z0-9]{16})${KEY_BESIDE}
    AWS Bedrock key             | ABSK                     | ${BASE64}{100,}={0,2}
    AWS Bedrock short-lived key | bedrock-api-key-         | ${BASE64}{60,}={0,2}
    Amazon MWS token            | amzn.mws.                | ${UUID}
    Amazon OAuth secret         | amzn1.oa2-cs.v1.         | ${HEX}{64}
    Google API key              | AIza                     | ${WORD}{35}
    Google access token         | ya29.                    | (?:[a-z]\.)?${WORD}{20,}
    Google client secret        | GOCSPX-                  | ${WORD}{20,}
    Firebase server key         | AAAA                     | ${WORD}{7}:${WORD}{134,}
    Baidu Cloud key             | bce-v3/ALTAK-            | [A-Za-z0-9]{21}/[a-f0-9]{40}
    CockroachDB key             | CCDB1_                   | [A-Za-z0-9]{22}_[A-Za-z0-9]{40}
    Alibaba Cloud key id        | LTAI                     | ${ALNUM}{16,24}
    Tencent Cloud key id        | AKID                     | ${ALNUM}{32}
    Volcengine key id           | AKLT                     | ${WORD}{40,}
    Yandex Cloud key            | AQVN                     | ${WORD}{35,}
    IBM Cloud or Scaleway key   | SCW                      | [A-Z0-9]{17}
    DigitalOcean token          | dop_v1_ doo_v1_ dor_v1_  | ${HEX}{64}
    Heroku key                  | HRKU-                    | (?:AA${WORD}{58}|${UUID})
    Vercel Blob token           | vercel_blob_rw_          | [A-Za-z0-9_]{30,}
    Tailscale key               | tskey-                   | [a-z]{2,20}-${ALNUM}{8,40}-[A-Za-z0-9_]{16,60}
    Docker swarm token          | SWMTKN-1- SWMKEY-1-      | [A-Za-z0-9+/-]{40,}
    Defined Networking token    | dnkey-                   | [A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}
    Akamai token                | akab-                    | [a-z0-9]{16}-[a-z0-9]{16}
    PlanetScale secret          | pscale_tkn_ pscale_pw_ pscale_oauth_ pscale_app_secret_ | [A-Za-z0-9_=.-]{32,64}
    Aiven password or token     | AVNS_ aivenv1            | [A-Za-z0-9_+/-]{15,}={0,2}
    MongoDB Atlas secret        | mdb_sa_sk_               | [A-Za-z0-9_-]{40}
    Algolia or Ory token        | ory_pat_ ory_st_ ory_at_ ory_rt_ ory_apikey_ ory_ac_ | [A-Za-z0-9._-]{30,}
    Grafana older key           | eyJrIjoi                 | ${ALNUM}{70,400}={0,3}
    New Relic key               | NRAK- NRII- NRRA- NRIQ- NRSP- NRAL- NRAA- | [A-Za-z0-9_-]{22,42}
    New Relic browser key       | NRJS-                    | ${HEX}{19}
    Sentry organization token   | sntrys_                  | [A-Za-z0-9+/_=]{60,}
    Sentry token                | sntryu_ sntrya_ sntryi_  | ${HEX}{64}
    Rootly key                  | rootly_                  | ${HEX}{64}
  `,
  ...tokens(WHOLE)`
    AWS AppSync key               | da2-                     | [a-z0-9]{26}
    Google newer API key          | AQ.                      | Ab8[A-Za-z0-9_-]{40,}
    Google refresh token          | 1//0                     | ${WORD}{40,}
    LogicMonitor token            | lmb_ lma_                | [A-Za-z0-9+/=_:;-]{40,}
    Pangea token                  | pts_                     | [a-z0-9]{32}
    Ubidots token                 | BBFF- BBUS-              | ${ALNUM}{30}
    Yandex token                  | y0_ t1.                  | [A-Za-z0-9_.=-]{50,}
    Fly.io token                  | fo1_ fm1a_ fm1r_ fm2_    | [A-Za-z0-9+/_-]{40,}={0,3}
    Cloudflare token              | cfk_ cfut_ cfat_         | ${ALNUM}{40}${HEX}{8}
    Cloudflare origin CA key      | v1.0-                    | ${HEX}{24}-${HEX}{146}
    Vercel token                  | vcp_ vci_ vca_ vcr_ vck_ | ${ALNUM}{20,60}
    Netlify token                 | nfp_ nfc_ nfo_ nfu_ nfb_ | ${ALNUM}{36,}
    Render key                    | rnd_                     | ${ALNUM}{28,}
    Deno Deploy token             | ddp_ ddo_ ddw_           | ${ALNUM}{36,}
    Scalingo token                | tk-us-                   | ${WORD}{48}
    ngrok credential              | ak_ cr_                  | [A-Za-z0-9]{27}_[A-Za-z0-9]{20,}
    OpenShift token               | sha256~                  | ${WORD}{43}
    Supabase key                  | sbp_ sb_secret_          | (?:oauth_|v0_)?${WORD}{30,}
    Neon key                      | napi_                    | [a-z0-9]{40,}
    Elastic key                   | essu_                    | [A-Za-z0-9+/_=-]{40,}
    Xata key                      | xau_                     | ${ALNUM}{28,}
    Tinybird token                | p.eyJ                    | [A-Za-z0-9_-]{30,}\.[A-Za-z0-9_-]{20,}
    Pinecone key                  | pcsk_                    | [A-Za-z0-9_]{40,}
    Grafana token                 | glc_                     | [A-Za-z0-9+/]{32,400}={0,3}
    Grafana service account token | glsa_                    | ${ALNUM}{32}_[A-Fa-f0-9]{8}
    Honeycomb key                 | hcaik_ hcbik_ hccik_ hcdik_ hceik_ hcfik_ hcalk_ hcamk_ hcxik_ hcxlk_ hcxmk_ | [a-z0-9]{48,64}
    PagerDuty key                 | pdus+ pdeu+ pdeus+       | [A-Za-z0-9_+-]{20,}
    Axiom token                   | xaat- xapt-              | ${UUID}
    Coralogix key                 | cxtp_ cxup_              | ${ALNUM}{30}
    PostHog key                   | phx_ phs_                | ${ALNUM}{40,}
  `,
  ...tokens(AMBIGUOUS)`
    Yandex Cloud storage key | YCA YCM YCN YCO YCP | ${WORD}{37}
    Databricks token         | dapi dose doxx dkea | ${HEX}{32}(?:-[0-9])?
    ClickHouse Cloud key     | 4b1d                | ${ALNUM}{38}
    Confluent secret         | cflt                | [A-Za-z0-9+/]{60}
  `,
  ...tokens(AMBIGUOUS_WHOLE)`
    Azure shared access signature | sig=                     | [A-Za-z0-9%+/_-]{43,100}(?:%3[Dd]|=)?
    Portainer token               | ptr_                     | [A-Za-z0-9/_+-]{20,60}={0,2}
    Datadog token                 | ddapp_ ddapi_ ddp_ ddpat_ | ${ALNUM}{34,}
    Statsig or Stytch secret      | secret-live- secret-test- secret- | [A-Za-z0-9_=-]{40,}
    Checkly key                   | cu_                      | ${HEX}{32}
  `,
  token("AWS older access key id", startsWith("A3T", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"), "[A-Z0-9]{16}"),
  token(
    "Azure client secret",
    "0Q~ 1Q~ 2Q~ 3Q~ 4Q~ 5Q~ 6Q~ 7Q~ 8Q~ 9Q~",
    "[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}",
    { before: 3 },
  ),
  token("Azure storage key", "+ASt", `${BASE64}{76}\\+ASt${BASE64}{5}[AQgw]==`, { before: 76 }),
  token("Azure Cosmos DB key", "ACDb", `${BASE64}{74}ACDb${BASE64}{4,5}[AQgw]==`, {
    before: 74,
    wordStart: false,
  }),
  token("Azure Batch key", "+ABa", `${BASE64}{76}\\+ABa${BASE64}{5}[AQgw]==`, { before: 76 }),
  token(
    "Azure Service Bus key",
    "+ASb +AEh +ARm",
    `${BASE64}{33}\\+(?:ASb|AEh|ARm)${BASE64}{5}[AEIMQUYcgkosw048]=`,
    { before: 33 },
  ),
  token("Azure IoT key", "AIoT", `${BASE64}{33}AIoT${BASE64}{5}[AEIMQUYcgkosw048]=`, { before: 33 }),
  token("Azure Redis key", "AzCa", `${BASE64}{33}AzCa${BASE64}{5}[AEIMQUYcgkosw048]=`, { before: 33 }),
  token("Azure container registry key", "+ACR", `${BASE64}{42}\\+ACR${BASE64}{6}`, { before: 42 }),
  token("Azure Functions key", "AzFu", `${WORD}{44}AzFu${WORD}{5}[AQgw]==`, { before: 44 }),
  token("Azure search key", "AzSe", `${ALNUM}{42}AzSe${ALNUM}{6}`, { before: 42 }),
  token("Azure service key", "JQQJ99", `${ALNUM}{48}JQQJ99${ALNUM}{26,32}`, { before: 48, wordStart: false }),
  token("New Relic license key", "NRAL", "(?:[a-fA-F0-9]{6}|[a-z]{2}[0-9]{2}xx)[a-fA-F0-9]{30}NRAL", {
    before: 36,
    isAmbiguous: true,
  }),
  token(
    "Dynatrace token",
    "dt0c01. dt0s01. dt0s02. dt0s03. dt0s04. dt0s06. dt0s08. dt0s16.",
    "[A-Z0-9-]{8,24}\\.[A-Z0-9]{64}",
    { anyCase: true, wordStart: true },
  ),
  token("MaxMind key", "_mmk", `${ALNUM}{6}_${ALNUM}{29}_mmk`, { before: 36 }),
];
