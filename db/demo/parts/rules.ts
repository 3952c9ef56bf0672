import type { DemoPart } from '#db/demo/part.ts'
import type { Action } from '#domain/actions/actions.ts'
import type { Condition, RuleEvent } from '#domain/rules/rules.ts'
import { make } from '#test/make.ts'

type Row = { name: string; event: RuleEvent; conditions: readonly Condition[]; actions: readonly (Action | null)[] }

/** A few rules, prepared and off. */
export const part: DemoPart = {
  after: ['catalog', 'queues', 'users'],
  async seed({ platform, db, tenantId, ids }) {
    const at = platform.now()
    const tagged = (name: string): Action | null =>
      ids.tags.has(name) ? { kind: 'tag', tagIds: [ids.tags.get(name)!] } : null
    const queued = (name: string): Action | null =>
      ids.queues.has(name) ? { kind: 'queue', queueId: ids.queues.get(name)! } : null
    const all: readonly Row[] = [
      {
        name: 'Boleto vai para o financeiro',
        event: 'received',
        conditions: [
          { field: 'phrases', is: true, values: ['boleto', 'segunda via', 'fatura'] },
          { field: 'userId', is: true, values: [null] },
        ],
        actions: [tagged('Boleto'), queued('Financeiro')],
      },
      {
        name: 'Fora do horário, avisar que já viu',
        event: 'opened',
        conditions: [{ field: 'isOpen', is: false }],
        actions: [
          {
            kind: 'text',
            body: '{{greeting}}, {{firstName}}! Recebemos a sua mensagem e respondemos assim que abrirmos.',
          },
          { kind: 'note', body: 'Chegou fora do horário.' },
        ],
      },
    ]
    for (const [index, { actions, conditions, ...row }] of all.entries()) {
      const there = actions.filter((action) => action !== null)
      if (there.length === 0) continue
      await make(platform, db).insert('rules', tenantId, {
        ...{ ...row, is_active: false, position: index + 1, created_at: at, updated_at: at },
        conditions: JSON.stringify(conditions),
        actions: JSON.stringify(there),
      })
    }
  },
}
