import type { DemoPart } from '#db/demo/part.ts'
import { dayIn } from '#domain/calendar/local-time.ts'
import { storedState } from '#domain/tasks/tasks.ts'
import { make } from '#test/make.ts'

const DAY_MS = 86_400_000
const ZONE = 'America/Sao_Paulo'

type Row = {
  name: string
  description: string
  /** Days from today. */
  in: number
  priority: 'high' | 'medium' | 'low' | 'none'
  isDone?: boolean
}

const rows: readonly Row[] = [
  { name: 'Confirmar a entrega do pedido 1042', description: 'Ligar antes das 15h.', in: -1, priority: 'high' },
  { name: 'Enviar a segunda via do boleto', description: 'Cliente pediu por e-mail.', in: 0, priority: 'high' },
  { name: 'Conferir o estoque de ventiladores', description: 'Contar também o depósito.', in: 0, priority: 'medium' },
  { name: 'Responder às avaliações da semana', description: 'Começar pelas notas baixas.', in: 2, priority: 'low' },
  { name: 'Inventário do mês', description: 'Com a planilha do mês passado.', in: 6, priority: 'none' },
  {
    name: 'Atualizar a tabela de fretes',
    description: 'Valores da transportadora.',
    in: -3,
    priority: 'medium',
    isDone: true,
  },
]

/** Tasks of the people of a company, around today. */
export const part: DemoPart = {
  after: ['users'],
  async seed({ platform, db, tenantId, ids }) {
    const people = [...ids.users.values()]
    const at = platform.now()
    const today = dayIn(ZONE, at.getTime())
    for (const [index, { in: days, isDone, ...row }] of rows.entries()) {
      const limitDate = dayIn(ZONE, at.getTime() + days * DAY_MS)
      const status = storedState(isDone ? 'finished' : 'pending', limitDate, today)
      await make(platform, db).insert('tasks', tenantId, {
        ...{ ...row, limit_date: limitDate, status, finished_at: isDone ? at : null, created_at: at, updated_at: at },
        ...{ owner_id: people[index % people.length]!, user_id: people[0]! },
      })
    }
  },
}
