import type { DemoPart } from '#db/demo/part.ts'
import { make } from '#test/make.ts'

const HOUR = 3_600_000

const groups = [
  [
    '120363041278305118',
    'Clientes VIP Campinas',
    'Novidades e horários da loja. Dúvidas no privado.',
    'admin',
    214,
    true,
  ],
  ['120363041278305127', 'Clientes VIP Valinhos', 'Novidades e horários da loja.', 'admin', 96, true],
  ['120363041278305133', 'Arquitetos parceiros', 'Projetos, prazos e tabela de parceiros.', 'owner', 41, false],
  ['120363041278305149', 'Entregas de Sumaré', 'Rotas da semana.', 'admin', 12, false],
  ['120363041278305150', 'Comerciantes do Cambuí', '', 'member', 388, false],
  ['120363041278305166', 'Condomínio Jatobá', '', 'member', 57, false],
] as const

const items = [
  ['done', ''],
  ['done', ''],
  ['failed', 'O número não é administrador deste grupo.'],
  ['waiting', ''],
] as const

/** Groups of the laboratory's channel, their past changes, and their automatic rules. */
export const part: DemoPart = {
  after: ['connections', 'users', 'groups'],
  async seed({ platform, db, tenantId, ids }) {
    const connection = await db
      .selectFrom('connections')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('type', 'in', ['lab', 'baileys'])
      .where('is_deleted', '=', false)
      .orderBy('name')
      .executeTakeFirst()
    if (!connection) return
    const { id: connection_id } = connection
    const now = platform.now().getTime()
    const m = make(platform, db)
    const user_id = [...ids.users.values()][0] ?? null
    const at = (hours: number) => new Date(now - hours * HOUR)
    for (const [key, name, description, role, size, only_admins_write] of groups)
      await m.insert('channel_groups', tenantId, {
        ...{ connection_id, key, name, description, role, size, only_admins_write, seen_at: at(1) },
      })
    const job_id = await m.insert('group_jobs', tenantId, {
      ...{ kind: 'description', connection_id, user_id, status: 'paused', created_at: at(3) },
      params: JSON.stringify({ text: 'Novidades e horários da loja. Dúvidas no privado.' }),
    })
    for (const [n, [state, reason]] of items.entries())
      await m.insert('group_job_items', tenantId, {
        ...{ job_id, key: groups[n]![0], name: groups[n]![1], state, reason },
        done_at: state === 'waiting' ? null : at(3 - n / 10),
      })
    const ruleOf = (n: number) => {
      const [key, group_name] = groups[n]!
      return { connection_id, key, group_name, user_id, created_at: at(72 - n), updated_at: at(72 - n) }
    }
    const insert = (values: object) => m.insert('group_rules', tenantId, values)
    await insert({
      ...{ ...ruleOf(0), kind: 'greeting', hits: 14, hit_at: at(2) },
      value: 'Bem-vindo ao {{group}}, {{name}}! Aqui saem primeiro as novidades da loja.',
    })
    await insert({ ...ruleOf(1), kind: 'greeting', value: 'Olá, {{name}}! As regras estão na descrição do grupo.' })
    await insert({ ...ruleOf(0), kind: 'farewell', value: 'Até logo, {{name}}. A loja continua às ordens.', hits: 3 })
    await insert({ ...ruleOf(0), kind: 'ban', value: '5519998127731', hits: 1, hit_at: at(20) })
    await insert({ ...ruleOf(4), kind: 'ban', value: '5511987654321' })
    await insert({
      ...ruleOf(0),
      kind: 'word',
      value: 'aposta',
      deletes: true,
      remove_after: 3,
      hits: 6,
      hit_at: at(5),
    })
    await insert({
      ...{ ...ruleOf(2), kind: 'word', value: 'renda extra' },
      ...{ deletes: true, warning: '{{name}}, este grupo é só para projetos.' },
    })
  },
}
