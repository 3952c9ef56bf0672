import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { done, epochMs, id, pageAnswer } from '#kit/fields.ts'
import { shapeOf } from '#kit/provider.ts'
import { listQuery } from '#kit/resource.ts'
import * as at from './proxies-addresses.ts'
import { proxyFields, proxyTable } from './table.ts'

const shape = shapeOf(proxyFields)
const proxyForm = z.strictObject({
  ...shape,
  username: shape.username.default(''),
  password: shape.password.default(''),
  isActive: shape.isActive.default(true),
})

/** Input of a proxy. */
export type ProxyForm = z.output<typeof proxyForm>

const proxy = z.object({
  id: z.number().int(),
  ...shape,
  /** Number of connections that use it. */
  connectionCount: z.number().int(),
  /** Time and failure of the last test; `failure` is null if it passed. */
  testedAt: epochMs.nullable(),
  failure: z.string().nullable(),
})

/** Proxy with its password masked. */
export type CompanyProxy = z.output<typeof proxy>

/** Contract of the proxies for a company's connections (product facts 13.10). */
export const proxies = contract(at.proxies, {
  list: {
    summary: 'Proxies da empresa, pelo nome',
    query: listQuery(proxyTable),
    returns: z.object({ items: z.array(proxy), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  stats: {
    summary: 'Quantos proxies há, quantos estão ativos e quantos falharam no último teste',
    returns: z.object({ total: z.number().int(), active: z.number().int(), failed: z.number().int() }),
  },
  get: { summary: 'Um proxy; a senha vem mascarada', returns: proxy, errors: ['ERR_NO_PROXY_FOUND'] },
  create: { summary: 'Novo proxy', body: proxyForm, returns: proxy, errors: ['ERR_DUPLICATED'], audit: true },
  update: {
    summary: 'Alterar um proxy; a senha mascarada fica como está. Os canais que saem por ele abrem de novo',
    body: proxyForm,
    returns: proxy,
    errors: ['ERR_NO_PROXY_FOUND', 'ERR_DUPLICATED'],
    audit: true,
  },
  remove: {
    summary: 'Excluir um proxy pelo qual nenhum canal sai',
    returns: done,
    errors: ['ERR_NO_PROXY_FOUND', 'ERR_PROXY_IN_USE'],
    audit: true,
  },
  test: {
    summary: 'Testar um proxy salvo, ou o que vem em `values`, sem salvar: ele deixa chegar ao canal?',
    mode: 'slow',
    body: z.strictObject({ id: id.optional(), values: proxyForm.optional() }),
    returns: z.object({ ok: z.boolean(), text: z.string() }),
    errors: ['ERR_NO_PROXY_FOUND', 'ERR_RATE_LIMIT'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    proxies: typeof proxies
  }
}
