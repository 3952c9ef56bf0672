import type { DemoCompany, DemoPart } from '#db/demo/part.ts'
import type { Action } from '#domain/actions/actions.ts'
import { make } from '#test/make.ts'

/** Returns macros for daily work; an action is null if the company has no such queue or tag. */
const macrosOf = ({ ids }: DemoCompany): readonly { name: string; color: string; actions: (Action | null)[] }[] => {
  const tagged = (name: string): Action | null =>
    ids.tags.has(name) ? { kind: 'tag', tagIds: [ids.tags.get(name)!] } : null
  const queued = (name: string): Action | null =>
    ids.queues.has(name) ? { kind: 'queue', queueId: ids.queues.get(name)! } : null
  return [
    {
      name: 'Segunda via de boleto',
      color: '#C17513',
      actions: [
        tagged('Boleto'),
        {
          kind: 'text',
          body: '{{greeting}}, {{firstName}}! O financeiro envia a segunda via do seu boleto ainda hoje. Protocolo {{protocol}}.',
        },
        { kind: 'note', body: 'Pediu segunda via do boleto. Conferir o vencimento antes de enviar.' },
        queued('Financeiro'),
      ],
    },
    {
      name: 'Aguardar o cliente',
      color: '#2B8FA8',
      actions: [
        { kind: 'person', userId: null },
        { kind: 'text', body: 'Combinado, {{firstName}}. Fico no aguardo do seu retorno.' },
        { kind: 'snooze', minutes: 1440 },
      ],
    },
    {
      name: 'Encerrar com agradecimento',
      color: '#3F9A4D',
      actions: [
        { kind: 'person', userId: null },
        { kind: 'text', body: 'Obrigado pelo contato, {{firstName}}! Precisando, é só chamar.' },
        { kind: 'close' },
      ],
    },
  ]
}

/** A few macros of the whole company. */
export const part: DemoPart = {
  after: ['catalog', 'queues', 'users'],
  async seed(company) {
    const { platform, db, tenantId } = company
    const at = platform.now()
    for (const { name, color, actions } of macrosOf(company))
      await make(platform, db).insert('macros', tenantId, {
        ...{ name, color, audience: 'company', created_at: at, updated_at: at },
        actions: JSON.stringify(actions.filter((action) => action !== null)),
      })
  },
}
