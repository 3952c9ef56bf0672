import { type ContactImport, type ContactImportDetail, contactImports } from '#features/contacts/imports-contract.ts'
import type { Product } from '#test/product.ts'
import { call } from '#test/server.ts'
import { until } from '#test/until.ts'

type Import = ContactImport & ContactImportDetail

/** Imports of contacts by the API, with the token of the moment at which each is asked for. */
export function importsBy(product: () => Product, token: () => string) {
  const get = async (id: string) =>
    (await call(product(), contactImports.get, token(), { params: { id } })).body as Import
  const send = async (content: string | Buffer, fields: object = {}, name = 'contatos.csv', by = token()) => {
    const form = new FormData()
    for (const [key, value] of Object.entries(fields)) form.append(key, String(value))
    form.append('file', new Blob([content as never]), name)
    const headers = { authorization: `Bearer ${by}` }
    const reply = await fetch(`${product().address}/api/contacts/upload`, { method: 'POST', headers, body: form })
    return { status: reply.status, body: (await reply.json()) as { id: string; error?: string } }
  }
  const ended = async (id: string): Promise<Import> => {
    await until(async () => (await get(id)).status !== 'running')
    return get(id)
  }
  const file = async (path: string, body?: object, by = token()) => {
    const reply = await fetch(`${product().address}/api${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${by}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) }
  }
  return {
    send,
    imported: async (...what: Parameters<typeof send>) => ended((await send(...what)).body.id),
    ended,
    /** Requests a path, with POST if there is a body; returns status and bytes. */
    file,
    /** Runs, undoes or cancels an import, and waits for the result. */
    async steer(act: 'run' | 'undo' | 'cancel', id: string): Promise<Import> {
      const { status, body } = await call(product(), contactImports[act], token(), { params: { id }, body: {} })
      if (status !== 200) throw new Error(`${act}: ${status} ${JSON.stringify(body)}`)
      return ended(id)
    },
  }
}
