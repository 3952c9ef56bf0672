import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { certificate, certificateKey } from '#features/lab/server/whatsapp/certificate.ts'

// A file host as a separate process: it generates a file of so many megabytes (argument) while it is read (one at any path
// other than the printed one), prints how the file is found and decrypted, and accepts uploads without storing them.
const PART = 65_536
const path = '/v/grande'
const megabytes = Number(process.argv[2])
const mediaKey = randomBytes(32)
const keys = Buffer.from(hkdfSync('sha256', mediaKey, '', 'WhatsApp Document Keys', 112))
const server = createServer({ cert: certificate, key: certificateKey }, async (request, response) => {
  if (request.method === 'POST') {
    let bytes = 0
    for await (const part of request) bytes += (part as Buffer).length
    return response.end(JSON.stringify({ url: 'https://localhost/', direct_path: `/v/${bytes}` }))
  }
  const { url } = request
  const cipher = createCipheriv('aes-256-cbc', keys.subarray(16, 48), keys.subarray(0, 16))
  const mac = createHmac('sha256', keys.subarray(48, 80)).update(keys.subarray(0, 16))
  const write = async (bytes: Buffer) => {
    mac.update(bytes)
    if (!response.write(bytes)) await once(response, 'drain')
  }
  const part = Buffer.alloc(PART, 'nota fiscal\n')
  for (let n = 0; n < ((url === path ? megabytes : 1) * 1024 * 1024) / PART; n++) await write(cipher.update(part))
  await write(cipher.final())
  response.end(mac.digest().subarray(0, 10))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `https://localhost:${(server.address() as AddressInfo).port}${path}`
const key = { id: 'A', remoteJid: '5511988880301@s.whatsapp.net', fromMe: false, participant: '' }
console.log(
  JSON.stringify({ field: 'documentMessage', url, path, mediaKey: mediaKey.toString('base64'), sum: '', key }),
)
