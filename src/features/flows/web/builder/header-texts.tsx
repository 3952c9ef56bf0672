import { useQuery } from '@tanstack/react-query'
import { ticketCommands } from '#features/tickets/commands-addresses.ts'
import { query } from '#web/client.ts'
import { formatTime } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { usesOf } from '../flow-row.ts'
import type { Detail, DraftState } from './draft.ts'
import { problemsText } from './labels.tsx'

/** Describes the save state of the draft. */
export function savingText({ saving, savedAt, by, error }: DraftState): string {
  if (saving === 'failed') return t('Ainda não salvo: {error}', { error: error ?? '' })
  if (saving === 'changed') return t('Alterado por outra pessoa')
  if (saving !== 'saved') return t('Salvando…')
  if (savedAt === null) return t('Tudo salvo')
  const time = formatTime(savedAt)
  return by === null ? t('Salvo às {time}', { time }) : t('{name} salvou às {time}', { name: by, time })
}

/** Describes the problems of the draft. */
export const stateText = (problems: Detail['problems'], failing: number): string =>
  [problemsText(problems), failing > 0 ? plural(failing, t('caso não passa'), t('casos não passam')) : '']
    .filter((text) => text !== '')
    .join(', ') || t('Sem problemas')

/** Returns whether no conversation can enter the flow; false while unknown. */
export function useIsUnused(id: number): boolean {
  const { data } = useQuery(query(ticketCommands.chatFlows))
  const row = data?.chatFlow.find((one) => one.id === id)
  return row !== undefined && usesOf(row).length === 0
}

/** Text of the published version, the trial's share, and the number of connections that use the flow. */
export function Usage({
  id,
  version,
  trial,
  isUnpublished,
}: Pick<Detail, 'id' | 'version' | 'trial' | 'isUnpublished'>) {
  const { data } = useQuery(query(ticketCommands.chatFlows))
  const row = data?.chatFlow.find((one) => one.id === id)
  const count = row?.connections?.length ?? 0
  const uses = row && count === 0 ? usesOf(row).join(', ') : ''
  const isOther = version !== null && isUnpublished ? t(', com alterações não publicadas') : ''
  const published = version === null ? t('nada publicado') : `${t('versão {version} publicada', { version })}${isOther}`
  const tried = trial ? ` · ${t('versão {version} para {share} %', trial)}` : ''
  return ` · ${published}${tried} · ${count === 0 ? uses || t('nenhum canal o usa') : plural(count, t('canal usa este fluxo'), t('canais usam este fluxo'))}`
}
