import type { DemoPart } from '#db/demo/part.ts'
import { type CardStatus, changesBetween, exitOf } from '#domain/funnel/card.ts'
import { TEMPLATES } from '#domain/funnel/templates.ts'
import { keysBetween } from '#domain/kanban/order.ts'
import { make } from '#test/make.ts'

const DAY_MS = 86_400_000

const SOLD = [
  ['Cozinha planejada', '12900.00'],
  ['Sofá de 3 lugares', '5490.00'],
  ['Rack e painel', '3180.00'],
  ['Cabeceira estofada', '1890.00'],
  ['Escrivaninha', '2240.00'],
  ['Home office completo', '14300.00'],
  ['Closet 4 portas', '9260.00'],
  ['Mesa de 6 lugares', '4890.00'],
  ['Estante modular', '6480.00'],
  ['Painel de TV ripado', '3120.00'],
  ['18 cadeiras para salão', '21600.00'],
  ['Aparador e espelho', '3740.00'],
  ['Sala de reunião', '16900.00'],
  ['Mesa de centro', '2150.00'],
  ['Recepção da clínica', '18200.00'],
  ['Banquetas de bar (8)', '5120.00'],
  ['Cristaleira', '3460.00'],
  ['Conjunto de varanda', '2890.00'],
  ['Poltrona', '2480.00'],
  ['Buffet de apoio', '2690.00'],
  ['Mesa lateral (2)', '1150.00'],
  ['Nicho de parede (3)', '910.00'],
  ['Abajur e cúpula', '890.00'],
  ['Biblioteca de parede', '7180.00'],
] as const

/** Opportunities of some contacts, in the stages of a shop, some won and some lost; each with the history behind it. */
export const part: DemoPart = {
  after: ['contacts', 'users'],
  async seed({ platform, db, tenantId, ids }) {
    const made = make(platform, db)
    const now = platform.now().getTime()
    const at = (daysAgo: number) => new Date(now - daysAgo * DAY_MS)
    const template = TEMPLATES[1]!
    const pipelineId = await made.insert('pipelines', tenantId, {
      ...{ name: 'Vendas da loja', created_at: at(90), updated_at: at(90) },
    })
    const stages: { id: number; pipelineId: number; position: number }[] = []
    for (const [index, { name, color, chance, staleDays }] of template.stages.entries()) {
      const row = { pipeline_id: pipelineId, name, color, chance, stale_days: staleDays, position: index + 1 }
      const id = await made.insert('pipeline_stages', tenantId, { ...row, created_at: at(90), updated_at: at(90) })
      stages.push({ id, pipelineId, position: index + 1 })
    }
    const byId = new Map(stages.map((stage) => [stage.id, stage]))
    const people = [...ids.users.values()]
    const contacts = [...ids.contacts.values()]
    const left = new Map<number, { exits: number; advances: number }>()
    const ranks = new Map(stages.map(({ id }) => [id, keysBetween(null, null, SOLD.length)]))
    for (const [turn, [name, value]] of SOLD.entries()) {
      const contact_id = contacts[(turn * 3) % Math.max(1, contacts.length)]
      if (contact_id === undefined) return
      const reached = turn % stages.length
      const status: CardStatus = turn % 8 === 5 ? 'lose' : turn % 6 === 4 ? 'win' : 'open'
      const responsibleId = turn % 5 === 0 ? null : (people[turn % people.length] ?? null)
      const closingForecast = new Date(now + ((turn * 5) % 40) * DAY_MS).toISOString().slice(0, 10)
      const began = 12 + (turn % 30)
      const steps = stages.slice(0, reached + 1)
      const step = (index: number) => at(began - (index * began) / (steps.length + 1))
      const first = { stageId: stages[0]!.id, status: 'open' as CardStatus, value, responsibleId, closingForecast }
      const states = [first, ...steps.slice(1).map(({ id }) => ({ ...first, stageId: id }))]
      if (status !== 'open') states.push({ ...states.at(-1)!, status })
      const last = states.at(-1)!
      const since = step(steps.length - 1)
      const ended = status === 'open' ? null : step(steps.length)
      const id = await made.insert('opportunities', tenantId, {
        ...{ pipeline_id: pipelineId, stage_id: last.stageId, rank: ranks.get(last.stageId)![turn]! },
        ...{ entry: steps.length, contact_id, responsible_id: responsibleId, name, value, status },
        ...{ closing_forecast: closingForecast, reason: status === 'lose' ? 'Achou o prazo de entrega longo' : '' },
        ...{ stage_since: since, moved_at: ended ?? since, closed_at: ended, user_id: responsibleId },
        ...{ created_at: at(began), updated_at: ended ?? since },
      })
      for (const [index, state] of states.entries()) {
        const before = states[index - 1] ?? null
        const advanced = before && exitOf(before, state, byId)
        if (before && advanced !== null) {
          const { exits, advances } = left.get(before.stageId) ?? { exits: 0, advances: 0 }
          left.set(before.stageId, { exits: exits + 1, advances: advances + Number(advanced) })
        }
        for (const { kind, ...change } of changesBetween(before, state))
          await made.insert('opportunity_history', tenantId, {
            ...{ opportunity_id: id, kind, ...change, entry: Math.min(index + 1, steps.length), at: step(index) },
            ...{ user_id: responsibleId, advanced: kind === 'stage' || kind === 'status' ? advanced : null },
          })
      }
    }
    const acts = [
      {
        name: 'Perguntar sobre a proposta',
        stage: 2,
        days_to_trigger: 2,
        ...{ hour_from: 9, hour_to: 18 },
        steps: [{ type: 'stage_change', targetStageId: stages[3]!.id }],
      },
      {
        name: 'Encerrar o que ficou parado',
        stage: 3,
        days_to_trigger: 30,
        ...{ hour_from: null, hour_to: null },
        steps: [{ type: 'status_change', targetStatus: 'lose' }],
      },
    ] as const
    for (const { stage, steps, ...act } of acts)
      await made.insert('pipeline_actions', tenantId, {
        ...{ ...act, pipeline_id: pipelineId, stage_id: stages[stage]!.id, steps: JSON.stringify(steps) },
        ...{ active_since: at(0), created_at: at(20), updated_at: at(20) },
      })
    for (const [id, counts] of left) await db.updateTable('pipeline_stages').set(counts).where('id', '=', id).execute()
  },
}
