import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..', '..')

/** Code of `docs/recipes/add-an-assistant.md`, without the types. */
const CONFIG = `
export const parrotConfig = {
  ...{ id: 'parrot', ticketSwitch: null, kind: 'flow', hasEffects: false },
  name: 'Papagaio',
  help: 'Cole o endereço e a chave do papagaio.',
  fields: {
    baseUrl: { kind: 'url', label: 'Endereço', required: true, missing: 'Informe o endereço.' },
    apiKey: { kind: 'secret', label: 'Chave', again: 'Informe a chave de novo.' },
  },
}
`
const ADAPTER = `
import { ask, reached } from '../calls.ts'
import { NO_USAGE } from '../port.ts'
export const makeAdapter = ({ baseUrl, apiKey }, tools) => ({
  async answer({ text, signal }) {
    const response = await ask(tools, baseUrl, { headers: { authorization: apiKey }, json: { text }, signal })
    const { said } = await reached(signal, () => response.json())
    return { bubbles: [{ kind: 'text', text: said }], model: '', ...NO_USAGE }
  },
})
`

const USE = `
import { accounts } from '#features/assistants/server/accounts.ts'
import { adapterFor } from '#features/assistants/server/adapters.ts'
import { encryptionAt } from '#server/providers/encryption.ts'
import { secretsFrom } from '#server/secrets.ts'
const platform = { env: { OUTBOUND_ALLOW: ['127.0.0.1'] }, now: () => new Date(), secrets: secretsFrom(Buffer.alloc(32)) }
const encryption = encryptionAt(platform, '1/provider_accounts/7')
const { fields } = accounts.configOf('parrot')
const filled = (baseUrl, apiKey) => accounts.filled('parrot', { config: { baseUrl, wings: 2 }, secrets: { apiKey } })
const stored = encryption.merge(fields, filled(process.argv[2], 'uma-chave-que-termina-em-1234'))
const row = { ...stored, id: 7, provider: 'parrot', name: 'O papagaio', is_active: true, is_default: true, state: {} }
const adapter = await adapterFor(platform, 'parrot', accounts.plain(platform, 1, row))
const detailsOf = (work) => {
  try { return work() } catch (error) { return error.details }
}
const { bubbles } = await adapter.answer({ text: 'Bom dia', signal: AbortSignal.timeout(10_000) })
console.log(JSON.stringify({
  shown: accounts.shown(row),
  isHidden: !JSON.stringify(stored).includes('uma-chave'),
  bubbles,
  elsewhere: detailsOf(() => encryption.merge(fields, filled('https://outro.exemplo.com', '••••1234'), stored)),
  missing: detailsOf(() => encryption.merge(fields, filled('', ''), undefined, { isActive: true })),
}))
`

/** Adds the sample to a copy of what stores and calls assistants: one folder, and a line in each of two lists. */
function addSample(copy: string): void {
  cpSync(join(root, 'package.json'), join(copy, 'package.json'))
  const isSource = (path: string) => !path.endsWith('.test.ts')
  for (const folder of ['domain', 'kit', 'server', 'providers/assistants', 'features/assistants/server'])
    cpSync(join(root, 'src', folder), join(copy, 'src', folder), { recursive: true, filter: isSource })
  const assistants = join(copy, 'src', 'providers', 'assistants')
  mkdirSync(join(assistants, 'parrot'))
  writeFileSync(join(assistants, 'parrot', 'config.ts'), CONFIG)
  writeFileSync(join(assistants, 'parrot', 'adapter.ts'), ADAPTER)
  const change = (file: string, before: string, after: string) => {
    const path = join(assistants, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(before, after))
  }
  change(
    'configs.ts',
    'import { qwenConfig }',
    "import { parrotConfig } from './parrot/config.ts'\nimport { qwenConfig }",
  )
  change('configs.ts', '  qwenConfig,\n', '  qwenConfig,\n  parrotConfig,\n')
  const load = "  parrot: async () => (await import('./parrot/adapter.ts')).makeAdapter,\n"
  change('adapters.ts', '  typebot: async', `${load}  typebot: async`)
  writeFileSync(join(copy, 'use.ts'), USE)
}

test('a provider of assistants is added by one folder and two lines, as the recipe says', async () => {
  const asked: object[] = []
  const parrot = createServer(async (request, response) => {
    const body = JSON.parse(await text(request))
    asked.push({ key: request.headers.authorization, body })
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ said: `${body.text}!` }))
  }).listen(0, '127.0.0.1')
  await once(parrot, 'listening')
  const place = parrot.address()
  const url = `http://127.0.0.1:${typeof place === 'object' && place?.port}/`
  mkdirSync(join(root, '.cache'), { recursive: true })
  const copy = mkdtempSync(join(root, '.cache', 'provider-'))
  try {
    addSample(copy)
    const { stdout } = await promisify(execFile)(process.execPath, ['use.ts', url], { cwd: copy })
    expect(JSON.parse(stdout)).toEqual({
      shown: {
        ...{ id: 7, provider: 'parrot', name: 'O papagaio', isActive: true, isDefault: true, state: {} },
        config: { baseUrl: url },
        secrets: { apiKey: '••••1234' },
      },
      isHidden: true,
      bubbles: [{ kind: 'text', text: 'Bom dia!' }],
      elsewhere: { apiKey: 'Informe a chave de novo.' },
      missing: { baseUrl: 'Informe o endereço.' },
    })
    expect(asked).toEqual([{ key: 'uma-chave-que-termina-em-1234', body: { text: 'Bom dia' } }])
  } finally {
    parrot.close()
    rmSync(copy, { recursive: true, force: true })
  }
}, 60_000)
