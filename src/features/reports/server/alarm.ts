import { type Difference, definitionOf } from '#domain/reports/measures.ts'
import { connectionEvents } from '#features/connections/connection-events.ts'
import { mailAdmins } from '#features/connections/server/index.ts'
import type { Ctx } from '#server/context.ts'

const MOST_NAMED = 10

/** Notifies report readers that stored figures were wrong, and mails the differences to administrators. */
export async function publishDifferences(ctx: Ctx, differences: readonly Difference[]): Promise<void> {
  const title = 'A conferência achou números diferentes'
  const text = 'Números guardados diferiam dos seus atendimentos e já foram corrigidos. Veja quais em Relatórios.'
  ctx.emit(connectionEvents.told, { id: ctx.tenantId, title, text }, { kind: 'permission', permission: 'reports:read' })
  const named = [...new Set(differences.map(({ measure, day }) => `${definitionOf(measure).name} de ${dayText(day)}`))]
  const rest = named.length - MOST_NAMED
  await mailAdmins(ctx, {
    title,
    sentences: [text, named.slice(0, MOST_NAMED).join(', ') + (rest > 0 ? ` e mais ${rest}.` : '.')],
    action: { label: 'Ver os relatórios', path: '/relatorios' },
  })
}

const dayText = (day: string): string => day.split('-').toReversed().join('/')
