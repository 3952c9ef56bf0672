import { expect } from 'vitest'
import { type Opportunity, opportunities } from '#features/funnel/contract.ts'
import { pipelines } from '#features/funnel/pipelines-contract.ts'
import type { Operation } from '#kit/contract.ts'
import { make, type Person } from './make.ts'
import { call, type Product } from './server.ts'

/** Pipelines and opportunities of a company, made and changed over the API. */
export function funnelBy(product: () => Product, about: () => { readonly tenantId: number; readonly boss: Person }) {
  // biome-ignore lint/suspicious/noExplicitAny: answers of many operations
  const ask = (who: Person, op: Operation, input: object = {}): Promise<{ status: number; body: any }> =>
    call(product(), op as never, who.token, input as never) as never

  let made = 0
  const pipeline = async (stages = ['Contato', 'Proposta', 'Fechamento']) => {
    const body = { name: `Funil ${++made}`, stages: stages.map((name) => ({ name, chance: 50 })) }
    const answer = await ask(about().boss, pipelines.create, { body })
    expect(answer.status).toBe(200)
    return answer.body as { id: number; name: string; stages: { id: number; name: string }[] }
  }
  const create = async (who: Person, body: object) => {
    const contactId =
      (body as { contactId?: number }).contactId ?? (await make(product().platform).contact(about().tenantId))
    return ask(who, opportunities.create, { body: { name: 'Mesa', contactId, ...body } })
  }
  const board = async (who: Person, pipelineId: number, query: object = {}) => {
    const { body } = await ask(who, opportunities.board, { query: { pipelineId, limit: 100, ...query } })
    return body.stages as { id: number; count: number; value: string; advances: number | null; cards: Opportunity[] }[]
  }
  const move = (who: Person, id: number, stageId: number, beforeId?: number) =>
    ask(who, opportunities.move, { params: { id }, body: { stageId, ...(beforeId ? { beforeId } : {}) } })
  const put = (who: Person, id: number, body: object) => ask(who, opportunities.update, { params: { id }, body })
  const historyOf = async (id: number) => (await ask(about().boss, opportunities.history, { params: { id } })).body.data
  return { ask, pipeline, create, board, move, put, historyOf }
}
