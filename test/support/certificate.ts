// A self-signed certificate for an unused name, valid until 2120, for test servers. Its key protects nothing.

export const certificateName = 'mail.example.test'
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBeTCCAR+gAwIBAgIBATAKBggqhkjOPQQDAjAcMRowGAYDVQQDDBFtYWlsLmV4
YW1wbGUudGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowHDEa
MBgGA1UEAwwRbWFpbC5leGFtcGxlLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMB
BwNCAAT6FyN4SM2ZT1JvvQxw9qjPJZMjsAKfhAnWQ8pnl5kloNAT1/BDfPVgkEUt
QF/QUMuimQbOMT+bz5t5o18ZXT/6o1AwTjAcBgNVHREEFTATghFtYWlsLmV4YW1w
bGUudGVzdDAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBRb12AeVa2C6jmC0y7F
c9vgfo0ZSTAKBggqhkjOPQQDAgNIADBFAiBkjZfTo+gigmaNJSP7xfM4feQ3hltX
bwkntxQPRupcqQIhAJakblhRhjiSrgmRCip2fEOjwJSQRDU8UhF4Ugg4g6Z/
-----END CERTIFICATE-----
`
export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgaCfReeHUNIuVxizr
qATKWIjkaA6YO8tcEOuJ3pM421GhRANCAAT6FyN4SM2ZT1JvvQxw9qjPJZMjsAKf
hAnWQ8pnl5kloNAT1/BDfPVgkEUtQF/QUMuimQbOMT+bz5t5o18ZXT/6
-----END PRIVATE KEY-----
`
