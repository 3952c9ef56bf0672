import type { DemoPart } from '#db/demo/part.ts'
import { make } from '#test/make.ts'

const reasons = ['Compra', 'Dúvida', 'Orçamento', 'Reclamação', 'Segunda via', 'Troca ou devolução']

const farewells = [
  ['Agradecimento', '{{firstName}}, obrigado pelo contato! Precisando, é só chamar. {{user}}'],
  ['Com protocolo', 'Atendimento encerrado, {{firstName}}. Seu protocolo é {{protocol}}.'],
  ['Sem retorno', 'Como não tivemos retorno, encerramos por aqui. Quando puder, escreva de novo.'],
] as const

/** What attendances end with; those that have ended were for some reason. Nobody is made to say one. */
export const part: DemoPart = {
  after: ['conversations'],
  async seed({ platform, db, tenantId }) {
    const m = make(platform, db)
    const ids: number[] = []
    for (const name of reasons) ids.push(await m.insert('reasons', tenantId, { name }))
    for (const [name, message] of farewells) await m.insert('farewells', tenantId, { name, message })
    const closed = await db
      .selectFrom('tickets')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('status', '=', 'closed')
      .orderBy('id')
      .execute()
    for (const [index, { id }] of closed.entries())
      await db
        .updateTable('tickets')
        .set({ reason_id: ids[(index * index) % ids.length]! })
        .where('id', '=', id)
        .execute()
  },
}
