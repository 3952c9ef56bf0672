/** Self-signed certificate for `localhost`, trusted only by clients that name it. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIULS+gPtrq45TAQcoNsxiluvvd5TkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMDEzNDM0MloYDzIxMjYxMDI3
MTM0MzQyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQt8MYgWqdI4tsKDV4cj96VUv9vemRFg0lqderJxZB1ak403ALyayyi
4QiyQqoSTUfW/QpE7Pvih7DiMIvNzXXVo2kwZzAdBgNVHQ4EFgQUkAbTUVcZr4av
U3aSK6Jw2gCqAswwHwYDVR0jBBgwFoAUkAbTUVcZr4avU3aSK6Jw2gCqAswwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgAR2pwoV7uGD/4DeG1yrRgIY6L7pIRlNotD4tfc0IqOoCIAOXdefho4V5
w8jzPR+mo34x97O846kBdyA2PRzv4TnJ
-----END CERTIFICATE-----
`

/** Private key of the certificate; it protects nothing. */
export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+0OZ3nIYYSuJf34N
C6jm9IG9VeJxYqPtypZBKpbx79OhRANCAAQt8MYgWqdI4tsKDV4cj96VUv9vemRF
g0lqderJxZB1ak403ALyayyi4QiyQqoSTUfW/QpE7Pvih7DiMIvNzXXV
-----END PRIVATE KEY-----
`
