import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { make } from '#test/make.ts'
import { testChannel } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'

let clock = Date.now()
const product = withProduct({ now: () => new Date(clock) })
let tenantId: number
let token: string
let ticketId: number

beforeAll(async () => {
  const made = make(product().platform)
  testChannel(product().platform)
  tenantId = await made.tenant()
  const connection_id = await made.connection(tenantId, { type: 'test' })
  const agent = await made.user(tenantId, { profile: 'admin' })
  token = await made.token(agent)
  ticketId = await made.ticket(tenantId, { connection_id, channel: 'test', user_id: agent.id })
})
afterEach(() => {
  clock = Date.now()
})

type Named = readonly [name: string, bytes: Uint8Array | string]
type Reply = { status: number; body: { error: string; messages: MessageRow[] } }

async function send(files: readonly Named[], fields: Record<string, string> = {}): Promise<Reply> {
  const form = new FormData()
  for (const [key, value] of Object.entries({ idFront: randomUUID(), ...fields })) form.append(key, value)
  for (const [name, bytes] of files) form.append('medias', new Blob([bytes as BlobPart]), name)
  const headers = { authorization: `Bearer ${token}` }
  const reply = await fetch(`${product().address}/api/messages/${ticketId}`, { method: 'POST', headers, body: form })
  return { status: reply.status, body: (await reply.json()) as Reply['body'] }
}

/** The stored file of a message that was accepted. */
async function stored(...file: Named): Promise<NonNullable<MessageRow['file']>> {
  const { status, body } = await send([file])
  expect(status).toBe(200)
  return body.messages[0]!.file!
}

const get = (url: string, headers: Record<string, string> = {}) => fetch(product().address + url, { headers })
const root = () => join(product().platform.env.DATA_DIR, 'files')
const onDisk = (): string[] =>
  readdirSync(root(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
const png = (text = 'ok') =>
  sharp({ create: { width: 8, height: 6, channels: 3, background: '#c08a55' } })
    .png()
    .toBuffer()
    .then((bytes) => Buffer.concat([bytes, Buffer.from(text)]))

/** A PNG of a few bytes that claims to be huge. */
function bomb(width: number, height: number): Buffer {
  const crcTable = Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c >>> 0
  })
  const crc = (data: Buffer) =>
    (data.reduce((c, byte) => (crcTable[(c ^ byte) & 0xff]! ^ (c >>> 8)) >>> 0, 0xffffffff) ^ 0xffffffff) >>> 0
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(64))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** An archive that holds one empty file. */
function zip(name: string): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(name.length, 22)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  return Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), end])
}

const html = '<!doctype html><script>alert(1)</script>'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), Buffer.alloc(100)])
const exe = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200, 1)])
const elf = Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46]), Buffer.alloc(200, 1)])

describe('what a file is, is read in the file', () => {
  it.each<[string, string, Uint8Array | string]>([
    ['a page called png', 'foto.png', html],
    ['a page called txt', 'nota.txt', html],
    ['a page behind white space', 'nota.txt', `${'\n'.repeat(3000)}${html}`],
    ['a page called html whose tags come late', 'nota.html', `${'a '.repeat(3000)}${html}`],
    ['a page in UTF-16', 'nota.txt', Buffer.from(`\ufeff${html}`, 'utf16le')],
    ['a drawing with script', 'logo.svg', svg],
    ['a drawing called png', 'logo.png', svg],
    ['a drawing behind a declaration', 'logo.txt', `<?xml version="1.0"?>\n${svg}`],
    ['a script', 'conta.js', 'new ActiveXObject("WScript.Shell").Run("calc")'],
    ['a batch', 'conta.bat', 'del /q *.*'],
    ['a shortcut', 'site.url', '[InternetShortcut]\nURL=file://x'],
    ['a program called txt', 'nota.txt', exe],
    ['a program called pdf', 'conta.pdf', exe],
    ['a program of unix', 'conta', elf],
    ['a shell script called txt', 'nota.txt', '#!/bin/sh\nrm -rf ~'],
    ['a program of Java called docx', 'conta.docx', zip('META-INF/MANIFEST.MF')],
    ['a program by its name alone', 'instalar.msi', Buffer.alloc(300, 0x81)],
    ['a page of another kind', 'nota.xhtml', '<a/>'],
    ['a workbook with macros', 'conta.xlsm', zip('xl/workbook.xml')],
    ['an app package called zip', 'fotos.zip', zip('classes.dex')],
    ['an empty file', 'nota.txt', ''],
  ])('refuses %s', async (_, name, bytes) => {
    const before = onDisk()
    const { status, body } = await send([[name, bytes]])
    expect([status, body.error]).toEqual([415, 'ERR_FILE_TYPE'])
    expect(onDisk()).toEqual(before)
  })

  it.each([
    ['nota.txt', 'Olá, tudo bem?', 'text/plain'],
    ['lista.csv', 'nome;valor\nAna;3', 'text/csv'],
    ['orçamento.pdf', '%PDF-1.4\n%âãÏÓ\n1 0 obj', 'application/pdf'],
  ])('takes %s', async (name, bytes, mime) => {
    expect(await stored(name, bytes)).toMatchObject({ name, mime })
  })

  it.each<[string, Uint8Array | string]>([
    ['foto.heic', heic],
    ['nota fiscal.xml', '<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="http://www.portalfiscal.inf.br/nfe"/>'],
    ['extrato.ofx', 'OFXHEADER:100\nDATA:OFXSGML\n'],
    ['planta.dwg', Buffer.concat([Buffer.from('AC1032'), Buffer.alloc(100)])],
    ['arquivos.rar', Buffer.concat([Buffer.from('Rar!\x1a\x07\x00', 'latin1'), Buffer.alloc(100)])],
    ['arte.cdr', zip('content/root.dat')],
    ['conta.png', 'alert(1)'],
    ['foto.png', Buffer.alloc(300, 0x81)],
  ])('keeps %s as a download', async (name, bytes) => {
    const file = await stored(name, bytes)
    expect(file).toMatchObject({ name, mime: 'application/octet-stream' })
    const { headers } = await get(file.url)
    expect(headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('refuses pictures that would fill the memory of whoever opens them', async () => {
    const before = onDisk()
    for (const [width, height] of [
      [60_000, 60_000],
      [2_000_000, 60],
    ] as const)
      expect((await send([['bomba.png', bomb(width, height)]])).status).toBe(415)
    expect(onDisk()).toEqual(before)
  })

  it('gives a file of two natures the name of what it was taken for', async () => {
    const file = await stored('relatorio.html', await png(html))
    expect(file).toMatchObject({ mime: 'image/png', name: 'relatorio.html.png' })
    const reply = await get(file.url)
    expect(reply.headers.get('content-type')).toBe('image/png')
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.get('content-security-policy')).toContain('sandbox')
    expect((await stored('programa.exe', await png())).name).toBe('programa.exe.png')
  })
})

describe('limits', () => {
  it('leave nothing on disk: too many files, one too large, a field too long', async () => {
    const before = onDisk()
    const one = await png('a')
    const many = Array.from({ length: 11 }, (_, n): Named => [`${n}.png`, Buffer.concat([one, Buffer.from(`${n}`)])])
    expect((await send(many)).status).toBe(413)
    expect((await send([['a.png', one]], { body: 'x'.repeat(400_000) })).status).toBe(413)
    expect(
      (
        await send([
          ['a.png', one],
          ['b.txt', html],
        ])
      ).status,
    ).toBe(415)
    expect(onDisk()).toEqual(before)
  })

  it('do not cut a long text short', async () => {
    const body = 'ção😀'.repeat(13_000)
    const { status, body: answer } = await send([['a.png', await png('long')]], { body })
    // The channel of this test takes 4096 letters; what matters is that the whole text was looked at.
    expect([status, answer.error]).toEqual([422, 'ERR_MESSAGE_TOO_LONG'])
  })

  it('leave nothing of a refused message', async () => {
    const before = onDisk()
    expect((await send([['a.png', await png('x')]], { idFront: 'curto' })).status).toBe(400)
    expect((await send([['a.png', await png('y')]], { outro: 'campo' })).status).toBe(400)
    expect(onDisk()).toEqual(before)
  })

  it('an upload that is broken off leaves nothing', async () => {
    const before = onDisk()
    const abort = new AbortController()
    const boundary = 'xyz'
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="medias"; filename="a.txt"\r\n\r\n`
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(head + 'a'.repeat(200_000)))
        setTimeout(() => abort.abort(), 150)
      },
    })
    const headers = { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}` }
    const init = { method: 'POST', headers, body, duplex: 'half', signal: abort.signal } as RequestInit
    await expect(fetch(`${product().address}/api/messages/${ticketId}`, init)).rejects.toThrow()
    await expect.poll(onDisk).toEqual(before)
  })
})

describe('names', () => {
  it.each([
    ['../../../etc/passwd.txt', 'passwd.txt'],
    ['..\\..\\boot.txt', 'boot.txt'],
    ['C:\\a|b?.txt', 'a_b_.txt'],
    ['..', 'arquivo.txt'],
    ['.htaccess.txt', 'htaccess.txt'],
    ['a\u202Etxt.exe.txt', 'atxt.exe.txt'],
    [`${'😀'.repeat(190)}a.txt`, `${'😀'.repeat(175)}a.txt`],
  ])('%j cannot leave its folder', async (name, expected) => {
    const file = await stored(name, `texto ${name.length}`)
    expect(file.name).toBe(expected)
    const reply = await get(file.url)
    expect(reply.status).toBe(200)
    expect(decodeURIComponent(reply.headers.get('content-disposition')!.split("''")[1]!)).toBe(file.name)
  })

  it('cannot write headers', async () => {
    const file = await stored('a"\r\nset-cookie: x=1;b.txt', 'texto')
    const reply = await get(file.url)
    expect(reply.headers.get('set-cookie')).toBeNull()
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''[\w.%!~()-]+$/)
  })
})

describe('links', () => {
  it('open one file for an hour or two, for whoever holds them unchanged', async () => {
    const { url } = await stored('nota.txt', 'segredo')
    expect(await (await get(url)).text()).toBe('segredo')
    const [, , , claim] = url.split('/')
    const [tenant, id, until, signature] = claim!.split('.') as [string, string, string, string]
    const status = async (...parts: string[]) => (await get(`/api/files/${parts.join('.')}/nota.txt`)).status
    const other = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
    expect(await status(tenant, id, until, other)).toBe(404)
    expect(await status(tenant, id, until, '')).toBe(404)
    expect(await status(tenant, id, until)).toBe(404)
    expect(await status(tenant, id, `${Number(until) + 1}`, signature)).toBe(404)
    expect(await status(`${Number(tenant) + 1}`, id, until, signature)).toBe(404)
    expect(await status(tenant, randomUUID(), until, signature)).toBe(404)
    clock = Number(until) + 1
    const late = await get(url)
    expect([late.status, late.headers.get('cache-control')]).toEqual([403, 'no-store'])
  })

  it('are answered without being rendered, and to our pages only', async () => {
    for (const [name, bytes, disposition] of [
      ['nota.txt', 'texto', 'attachment'],
      ['a.csv', 'a;b', 'attachment'],
      ['a.png', await png(), 'inline'],
    ] as const) {
      const { url } = await stored(name, bytes)
      const { headers } = await get(url)
      expect(headers.get('content-disposition')).toMatch(new RegExp(`^${disposition};`))
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toMatch(/sandbox.*default-src 'none'/)
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it.each([
    ['bytes=0-3', 206, 'abcd', 'bytes 0-3/10'],
    ['bytes=4-', 206, 'efghij', 'bytes 4-9/10'],
    ['bytes=-3', 206, 'hij', 'bytes 7-9/10'],
    ['bytes=-100', 206, 'abcdefghij', 'bytes 0-9/10'],
    ['bytes=0-99999999999999999999', 206, 'abcdefghij', 'bytes 0-9/10'],
    ['bytes=9-9', 206, 'j', 'bytes 9-9/10'],
    ['bytes=10-', 416, null, 'bytes */10'],
    ['bytes=99999999999999999999-', 416, null, 'bytes */10'],
    ['bytes=5-2', 200, 'abcdefghij', null],
    ['bytes=-0', 416, null, 'bytes */10'],
    ['bytes=0-1,3-4', 200, 'abcdefghij', null],
    ['bytes=-', 200, 'abcdefghij', null],
    ['lines=0-1', 200, 'abcdefghij', null],
  ])('answer %s', async (range, status, text, contentRange) => {
    const { url } = await stored('letras.txt', 'abcdefghij')
    const reply = await get(url, { range })
    expect([reply.status, reply.headers.get('content-range')]).toEqual([status, contentRange])
    if (text !== null) expect(await reply.text()).toBe(text)
    else expect(await reply.json()).toMatchObject({ error: 'ERR_RANGE' })
  })

  it('say 404, as JSON that nobody keeps, when the file is gone from the disk', async () => {
    const before = onDisk()
    const { url } = await stored('some.txt', 'some daqui')
    for (const path of onDisk().filter((path) => !before.includes(path))) rmSync(path)
    const reply = await get(url)
    expect([reply.status, reply.headers.get('content-type'), reply.headers.get('cache-control')]).toEqual([
      404,
      'application/json; charset=utf-8',
      'no-store',
    ])
    expect(await reply.json()).toMatchObject({ error: 'ERR_NOT_FOUND' })
    expect(reply.headers.get('content-disposition')).toBeNull()
  })
})

it('the store is nobody else’s on the machine', async () => {
  await stored('nota.txt', 'privado')
  const modes = readdirSync(root(), { recursive: true, withFileTypes: true }).map((entry) => {
    const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777
    return entry.isDirectory() ? mode === 0o700 : mode === 0o600
  })
  expect(statSync(root()).mode & 0o777).toBe(0o700)
  expect(modes.length).toBeGreaterThan(3)
  expect(modes.every(Boolean)).toBe(true)
})
