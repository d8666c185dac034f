/** Lists tokens of tools that build, test, deploy and monitor, and of tools for teamwork on code. */
import { ALNUM, BASE64, HEX, type SecretShape, UUID, WORD } from "../shape.ts";
import { AMBIGUOUS_WHOLE, isGenerated, token, tokens, WHOLE } from "../token.ts";

export const BUILDS: readonly SecretShape[] = [
  ...tokens(WHOLE)`
    Bitbucket Server token           | BBDC-                    | [A-Za-z0-9+/@_-]{40,50}
    Browserbase key                  | bb_live_ bb_test_        | ${WORD}{24,}
    Bitrise token                    | bitpat_ bitwat_          | ${WORD}{30,}
    Chromatic token                  | chpt_                    | ${HEX}{12,40}
    Cloudsmith key                   | csa_                     | ${HEX}{30}${ALNUM}{6}
    CodeSandbox token                | csb_v1_                  | ${WORD}{40,}
    ConfigCat key                    | configcat-sdk-1/         | ${WORD}{22}/${WORD}{22}
    Context7 key                     | ctx7sk-                  | ${UUID}
    CAST AI key                      | castai_v1_               | ${HEX}{64}_${HEX}{8}
    Datadog remote configuration key | DDRCM_                   | ${ALNUM}{30,}
    Daytona key                      | dtn_                     | ${HEX}{64}
    Depot token                      | depot_org_ depot_project_ depot_user_ | ${ALNUM}{32,}
    Devin key                        | apk_ apk_user_ cog_      | (?:${BASE64}{80,180}={0,2}|[a-z2-7]{52})
    DVC Studio token                 | isat_                    | ${WORD}{40,}
    FireHydrant token                | fhb-                     | ${HEX}{32,64}
    GuardSquare token                | gs_appsweep_ gs_cli_ gs_maven_ | ${WORD}{24,48}
    Hex token                        | hxtp_ hxtw_              | ${HEX}{60,}
    Honeybadger token                | hbp_                     | ${ALNUM}{36}
    hop token                        | ptk_ bearer_             | (?:[a-z]_)?${HEX}{40,}
    JetBrains token                  | perm: perm-              | [A-Za-z0-9+/=_-]{2,60}\.[A-Za-z0-9+/=_-]{2,60}\.(?<own>[A-Za-z0-9]{30,})
    JumpCloud key                    | jca_                     | ${ALNUM}{36,40}
    Kong token                       | kpat_ spat_              | ${ALNUM}{40,}
    Lightdash token                  | ldpat_ ldt_              | ${HEX}{32,64}
    Logfire token                    | pylf_v                   | [0-9]_(?:[a-z]{2,4}_)?(?<own>${ALNUM}{40,})
    Linear webhook secret            | lin_wh_                  | ${ALNUM}{32,}
    Gitpod token                     | gitpod_pat_              | [A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{30,}
    GitBook token                    | gb_api_                  | ${ALNUM}{36,}
    block protocol key               | b10ck5.                  | ${HEX}{32}\.${UUID}
    Amp token                        | sgamp_user_              | [0-9A-Z]{26}_${HEX}{64}
  `,
  ...tokens(AMBIGUOUS_WHOLE)`
    Keygen token           | prod- admin- activ- env- user- | ${HEX}{64}v[123]
    LaunchDarkly relay key | rel-                     | ${UUID}
  `,
  token("Fauna secret", "fnA", `${WORD}{37}`, { isAmbiguous: true, isReal: isGenerated }),
  token("Exoscale key", "EXO", `${HEX}{24,30}`),
];
