import { expect, test } from 'vitest'
import { respelled } from './whatsapp-spelling.ts'

test.each([
  [
    { Connected: true, LoggedIn: false },
    { connected: true, loggedIn: false },
  ],
  [
    { connected: true, loggedIn: false },
    { connected: true, loggedIn: false },
  ],
  [
    { URL: 'u', fileEncSHA256: 'a', JPEGThumbnail: 'b' },
    { url: 'u', fileEncSha256: 'a', jpegThumbnail: 'b' },
  ],
  [{ contextInfo: { stanzaID: '3EB0' } }, { contextInfo: { stanzaId: '3EB0' } }],
  [{ Info: { ID: '1', IsFromMe: true } }, { info: { id: '1', isFromMe: true } }],
  [{ Users: [{ JID: 'j', IsInWhatsapp: true }] }, { users: [{ jid: 'j', isInWhatsapp: true }] }],
  [
    { LinkingCode: 'ABCD-EFGH', QRCode: 'q' },
    { linkingCode: 'ABCD-EFGH', qrCode: 'q' },
  ],
])('%j is read as %j', (given, read) => {
  expect(respelled(given)).toEqual(read)
})
