import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { ticketCommands } from '../../commands-addresses.ts'
import { explain, taking } from '../actions/actions.ts'
import { runOne } from '../bulk/one.ts'
import { show } from '../bulk/run.tsx'

type Named = { readonly id: number; readonly name: string }

/** “Trazer de volta”: ends the snooze. */
export const bringBack = ({ id, name }: Named): Promise<boolean> =>
  runOne(id, 'snooze', { until: null }, t('{name} voltou à lista', { name }))

/** “Retomar”: ends the pause. */
export async function resume({ id }: Named): Promise<void> {
  try {
    await taking(id, () => call(ticketCommands.resume, { params: { id } }, { quiet: true }))
  } catch (error) {
    await explain(error)
  }
}

/** “Chamar a atenção”: notifies the ticket's owner again. */
export async function callOwner({ id }: Named, who: string): Promise<void> {
  try {
    const body = { type: 'notification:new' } as const
    const { notified } = await call(ticketCommands.notify, { params: { id }, body }, { quiet: true })
    if (notified > 0) notify({ tone: 'pos', title: t('{who} foi avisado', { who }) })
    else notify({ tone: 'info', title: t('{who} acabou de ser avisado', { who }) })
  } catch (error) {
    notifyError(error)
  }
}

/** “Marcar as minhas como lidas”. */
export async function readOwn(): Promise<void> {
  try {
    const { count, message } = await call(ticketCommands.readOwn, {}, { quiet: true })
    const text = count > 0 ? plural(count, t('atendimento'), t('atendimentos')) : ''
    notify({ tone: count > 0 ? 'pos' : 'info', title: message, ...(text ? { text } : {}) })
  } catch (error) {
    notifyError(error)
  }
}

/** “Marcar tudo como lido” for all users; asks first, and can be undone like other bulk actions. */
export async function readAll(): Promise<void> {
  const sure = await confirm({
    title: t('Marcar tudo como lido?'),
    text: t('As mensagens não lidas de todos os atendimentos da empresa deixam de contar.'),
    action: t('Marcar tudo como lido'),
    tone: 'brand',
  })
  if (!sure) return
  try {
    show(await call(ticketCommands.readAll, {}, { quiet: true, long: true }))
  } catch (error) {
    notifyError(error)
  }
}

/** “Conferir as datas dos atendimentos”. */
export async function mendDates(): Promise<void> {
  try {
    notify({ tone: 'info', title: (await call(ticketCommands.mendDates, {}, { quiet: true })).message })
  } catch (error) {
    notifyError(error)
  }
}
