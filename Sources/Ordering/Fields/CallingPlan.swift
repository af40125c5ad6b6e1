// How the countries of the world dial: calling codes (ITU-T E.164, list of assigned country codes) and the prefix put before a
// national number at home, which is left out from abroad. Used by PhoneNumber only.

/// What turns a national number of a country into an international one.
struct CallingPlan {
    /// Digits after the +.
    let code: String
    /// What is dialled before a national number at home, left out from abroad; empty where there is none.
    let trunk: String
    /// How many digits a national number has, where they all have the same: then a longer one that begins with the trunk prefix or
    /// the calling code can be told from one that only looks so.
    let nationalLength: Int?

    /// The plan of a country by its ISO 3166-1 code, or nil where we don't know one: then numbers must begin with +.
    static func of(country: String) -> CallingPlan? { plans[country] }

    private static let plans: [String: CallingPlan] = {
        var plans: [String: CallingPlan] = [:]
        for (trunk, nationalLength, list) in groups {
            for entry in list.split(separator: " ") {
                let country = String(entry.prefix(2))
                plans[country] = CallingPlan(code: String(entry.dropFirst(2)), trunk: trunk, nationalLength: nationalLength)
            }
        }
        return plans
    }()

    private static let groups: [(trunk: String, nationalLength: Int?, countries: String)] = [
        // The North American Numbering Plan, where 1 is both.
        (
            "1", 10,
            "US1 CA1 PR1 DO1 JM1 BS1 BB1 BM1 AG1 AI1 DM1 GD1 GU1 KN1 KY1 LC1 MP1 MS1 AS1 SX1 TC1 TT1 VC1 VG1 VI1 UM1"
        ),
        ("8", 10, "RU7 KZ7"),
        ("80", nil, "BY375"),
        ("8", nil, "TM993"),
        ("06", nil, "HU36"),
        (
            "0", nil,
            """
            AE971 AF93 AL355 AM374 AR54 AT43 AU61 AX358 AZ994 BA387 BD880 BE32 BG359 BO591 BR55 CC61 CD243 CH41 CN86 CU53 CX61 DE49 \
            DZ213 EC593 EG20 ER291 ET251 FI358 FR33 GB44 GE995 GF594 GG44 GH233 GP590 HR385 ID62 IE353 IL972 IM44 IN91 IQ964 IR98 JE44 \
            JO962 JP81 KE254 KG996 KH855 KP850 KR82 LA856 LB961 LK94 LR231 LT370 LY218 MA212 MD373 ME382 MF590 MG261 MK389 MM95 MN976 \
            MQ596 MY60 NA264 NG234 NL31 NP977 NZ64 PE51 PH63 PK92 PS970 PY595 RE262 RO40 RS381 RW250 SA966 SD249 SE46 SI386 SK421 SL232 \
            SO252 SR597 SS211 SY963 TH66 TR90 TW886 TZ255 UA380 UG256 UY598 VE58 VN84 XK383 YE967 YT262 ZA27 ZM260 ZW263 BL590 EH212
            """
        ),
        // No prefix; in Italy, Gabon, Congo and Côte d'Ivoire the 0 belongs to the number.
        (
            "", nil,
            """
            AD376 AO244 AW297 BF226 BH973 BI257 BJ229 BN673 BQ599 BT975 BW267 BZ501 CF236 CG242 CI225 CK682 CL56 CM237 CO57 CR506 CV238 \
            CW599 CY357 CZ420 DJ253 DK45 EE372 ES34 FJ679 FK500 FM691 FO298 GA241 GI350 GL299 GM220 GN224 GQ240 GR30 GT502 GW245 GY592 \
            HK852 HN504 HT509 IO246 IS354 IT39 KI686 KM269 KW965 LI423 LS266 LU352 LV371 MC377 MH692 ML223 MO853 MR222 MT356 MU230 MV960 \
            MW265 MX52 MZ258 NC687 NE227 NF672 NI505 NO47 NR674 NU683 OM968 PA507 PF689 PG675 PL48 PM508 PT351 PW680 QA974 SB677 SC248 \
            SG65 SH290 SJ47 SM378 SN221 ST239 SV503 SZ268 TD235 TG228 TJ992 TK690 TL670 TN216 TO676 TV688 UZ998 VA39 VU678 WF681 WS685
            """
        ),
    ]
}
