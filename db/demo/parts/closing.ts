import type { DemoCompany, DemoPart } from '#db/demo/part.ts'
import { offsetMinutes } from '#domain/calendar/local-time.ts'
import { protocolOf } from '#domain/tickets/protocol.ts'
import { uuidv7 } from '#server/ids.ts'
import { make } from '#test/make.ts'

const reasons = ['Compra', 'Dúvida', 'Orçamento', 'Reclamação', 'Segunda via', 'Troca ou devolução']

const farewells = [
  ['Agradecimento', '{{firstName}}, obrigado pelo contato! Precisando, é só chamar. {{user}}'],
  ['Com protocolo', 'Atendimento encerrado, {{firstName}}. Seu protocolo é {{protocol}}.'],
  ['Sem retorno', 'Como não tivemos retorno, encerramos por aqui. Quando puder, escreva de novo.'],
] as const

/** Reasons and farewells; closed tickets get a reason. No reason is required, and nothing closes automatically. */
export const part: DemoPart = {
  after: ['conversations'],
  async seed({ platform, db, tenantId }) {
    const m = make(platform, db)
    const ids: number[] = []
    for (const name of reasons) ids.push(await m.insert('reasons', tenantId, { name }))
    for (const [name, message] of farewells) await m.insert('farewells', tenantId, { name, message })
    await m.setting(
      tenantId,
      'autoCloseMessage',
      '{{firstName}}, encerramos por falta de retorno. Precisando, é só chamar.',
    )
    await sendProtocols({ db, tenantId })
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

// Some customers received their protocol, just before the last message.
async function sendProtocols({ db, tenantId }: Pick<DemoCompany, 'db' | 'tenantId'>): Promise<void> {
  const tickets = await db
    .selectFrom('tickets')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'closed')
    .where('user_id', 'is not', null)
    .where('is_group', '=', false)
    .orderBy('id')
    .execute()
  for (const ticket of tickets.filter((_, index) => index % 4 === 0)) {
    const at = new Date(ticket.last_message_at.getTime() - 1000)
    const createdAt = ticket.created_at.getTime()
    const protocol = protocolOf(ticket.id, createdAt, offsetMinutes('America/Sao_Paulo', createdAt))
    const { contact_id, connection_id, conversation_key, user_id } = ticket
    await db
      .insertInto('messages')
      .values({
        ...{
          tenant_id: tenantId,
          id: uuidv7(at.getTime()),
          ticket_id: ticket.id,
          contact_id,
          connection_id,
          conversation_key,
        },
        ...{
          from_me: true,
          user_id,
          body: `Protocolo de atendimento: ${protocol}`,
          status: 'read',
          send_type: 'protocol',
        },
        ...{ timestamp: at, created_at: at },
      })
      .execute()
  }
}
