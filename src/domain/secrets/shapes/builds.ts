/** Lists tokens of tools that build, test, deploy and monitor, and of tools for teamwork on code. */
import { ALNUM, BASE64, HEX, type SecretShape, UUID, WORD } from "../shape.ts";
import { isGenerated, token } from "../token.ts";

const WHOLE = { wordStart: true } as const;

export const BUILDS: readonly SecretShape[] = [
  token("Bitbucket Server token", "BBDC-", "[A-Za-z0-9+/@_-]{40,50}", WHOLE),
  token("Browserbase key", "bb_live_ bb_test_", `${WORD}{24,}`, WHOLE),
  token("Bitrise token", "bitpat_ bitwat_", `${WORD}{30,}`, WHOLE),
  token("Chromatic token", "chpt_", `${HEX}{12,40}`, WHOLE),
  token("Cloudsmith key", "csa_", `${HEX}{30}${ALNUM}{6}`, WHOLE),
  token("CodeSandbox token", "csb_v1_", `${WORD}{40,}`, WHOLE),
  token("ConfigCat key", "configcat-sdk-1/", `${WORD}{22}/${WORD}{22}`, WHOLE),
  token("Context7 key", "ctx7sk-", UUID, WHOLE),
  token("CAST AI key", "castai_v1_", `${HEX}{64}_${HEX}{8}`, WHOLE),
  token("Datadog remote configuration key", "DDRCM_", `${ALNUM}{30,}`, WHOLE),
  token("Daytona key", "dtn_", `${HEX}{64}`, WHOLE),
  token("Depot token", "depot_org_ depot_project_ depot_user_", `${ALNUM}{32,}`, WHOLE),
  token("Devin key", "apk_ apk_user_ cog_", `(?:${BASE64}{80,180}={0,2}|[a-z2-7]{52})`, WHOLE),
  token("DVC Studio token", "isat_", `${WORD}{40,}`, WHOLE),
  token("Exoscale key", "EXO", `${HEX}{24,30}`),
  token("FireHydrant token", "fhb-", `${HEX}{32,64}`, WHOLE),
  token("GuardSquare token", "gs_appsweep_ gs_cli_ gs_maven_", `${WORD}{24,48}`, WHOLE),
  token("Hex token", "hxtp_ hxtw_", `${HEX}{60,}`, WHOLE),
  token("Honeybadger token", "hbp_", `${ALNUM}{36}`, WHOLE),
  token("hop token", "ptk_ bearer_", `(?:[a-z]_)?${HEX}{40,}`, WHOLE),
  token(
    "JetBrains token",
    "perm: perm-",
    "[A-Za-z0-9+/=_-]{2,60}\\.[A-Za-z0-9+/=_-]{2,60}\\.(?<own>[A-Za-z0-9]{30,})",
    WHOLE,
  ),
  token("JumpCloud key", "jca_", `${ALNUM}{36,40}`, WHOLE),
  token("Keygen token", "prod- admin- activ- env- user-", `${HEX}{64}v[123]`, {
    wordStart: true,
    isAmbiguous: true,
  }),
  token("Kong token", "kpat_ spat_", `${ALNUM}{40,}`, WHOLE),
  token("LaunchDarkly relay key", "rel-", UUID, { wordStart: true, isAmbiguous: true }),
  token("Lightdash token", "ldpat_ ldt_", `${HEX}{32,64}`, WHOLE),
  token("Logfire token", "pylf_v", `[0-9]_(?:[a-z]{2,4}_)?(?<own>${ALNUM}{40,})`, WHOLE),
  token("Linear webhook secret", "lin_wh_", `${ALNUM}{32,}`, WHOLE),
  token("Gitpod token", "gitpod_pat_", "[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{30,}", WHOLE),
  token("GitBook token", "gb_api_", `${ALNUM}{36,}`, WHOLE),
  token("block protocol key", "b10ck5.", `${HEX}{32}\\.${UUID}`, WHOLE),
  token("Amp token", "sgamp_user_", `[0-9A-Z]{26}_${HEX}{64}`, WHOLE),
  token("Fauna secret", "fnA", `${WORD}{37}`, { isAmbiguous: true, isReal: isGenerated }),
];
