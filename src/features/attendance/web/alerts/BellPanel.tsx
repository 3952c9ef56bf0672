import { Popover } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { notifications } from '#features/messages/notifications-addresses.ts'
import type { NotificationRow } from '#features/messages/notifications-contract.ts'
import { privateChat } from '#features/private-chat/addresses.ts'
import { pathOf } from '#features/tickets/web/choices/bucket.ts'
import { notifyError, sentence } from '#web/api.ts'
import { call, pages } from '#web/client.ts'
import { openTasks, privateUnread, warnings } from '#web/shell/attention.ts'
import { openPath } from '#web/shell/route.ts'
import { plural, t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { bellSoon } from './bell.ts'
import css from './bell-panel.module.css'
import { ConcernRow } from './ConcernRow.tsx'

const news = {
  message: t('o cliente escreveu'),
  open: t('em atendimento'),
  pending: t('voltou à fila'),
  closed: t('resolvido'),
} as const

/** Describes a ticket's notifications: authors of mentions and transfers, and the number of unread replies. */
function happened({ mentions, transfers, answers, by, isLate, isReplay, followed }: NotificationRow): string[] {
  if (isLate) return [t('Mensagem agendada não saiu: passou da hora')]
  if (isReplay) return [t('Chatbot: a repetição desta noite saiu diferente')]
  const who = by ?? t('Alguém')
  return [
    ...(mentions > 0
      ? [mentions > 1 ? t('{who} mencionou você {n} vezes', { who, n: mentions }) : t('{who} mencionou você', { who })]
      : []),
    ...(transfers > 0 ? [mentions > 0 ? t('transferiu para você') : t('{who} transferiu para você', { who })] : []),
    ...(followed ? [t('Você segue · {what}', { what: news[followed] })] : []),
    ...(answers > 0 ? [plural(answers, t('mensagem nova'), t('mensagens novas'))] : []),
  ]
}

const markRead = (ticketId?: number) =>
  call(notifications.read, { body: ticketId === undefined ? {} : { ticketId } }, { quiet: true }).then(
    bellSoon,
    bellSoon,
  )

/** Notifications outside of tickets: warnings, private messages, and today's tasks. */
function Waiting({ onClose }: { onClose: () => void }) {
  const [messages, tasks] = [privateUnread.use(), openTasks.use()]
  const open = (path: string) => {
    onClose()
    openPath(path)
  }
  const readAll = () => call(privateChat.readAll, { body: {} }, { quiet: true }).catch(notifyError)
  return (
    <>
      {warnings.use().map(({ id, title, path, read }) => (
        <div key={id} className={css.waiting}>
          <button
            type="button"
            onClick={() => {
              read()
              open(path)
            }}
          >
            {title}
          </button>
          <button type="button" onClick={read}>
            {t('Marcar como lida')}
          </button>
        </div>
      ))}
      {messages > 0 && (
        <div className={css.waiting}>
          <button type="button" onClick={() => open('/chat-privado')}>
            {t('Chat privado')} · {plural(messages, t('não lida'), t('não lidas'))}
          </button>
          <button type="button" onClick={() => void readAll()}>
            {t('Marcar como lidas')}
          </button>
        </div>
      )}
      {tasks > 0 && (
        <div className={css.waiting}>
          <button type="button" onClick={() => open('/tarefas')}>
            {t('Tarefas')} · {plural(tasks, t('atrasada ou de hoje'), t('atrasadas ou de hoje'))}
          </button>
        </div>
      )}
    </>
  )
}

const isPhone = matchMedia('(max-width: 599.98px)')

/** Notification panel, newest first; each entry opens its ticket at the message. */
export function BellPanel({ onClose }: { onClose: () => void }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    pages(notifications.list),
  )
  const rows = data?.pages.flatMap((page) => page.notifications) ?? []
  const open = ({ ticketId, timestamp }: NotificationRow) => {
    onClose()
    void markRead(ticketId)
    openPath(pathOf(ticketId, timestamp))
  }
  return (
    <Popover
      opened
      onChange={(opened) => !opened && onClose()}
      width={360}
      position={isPhone.matches ? 'bottom-end' : 'right-end'}
      trapFocus
      withRoles={false}
    >
      <Popover.Target>
        <i className={css.anchor} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" tabIndex={-1} aria-label={t('Para você')} className={css.panel ?? ''}>
        <BellHeader rows={rows} />
        <Waiting onClose={onClose} />
        {error && !data && <LoadError text={sentence(error)} retry={() => void refetch()} />}
        {!data && !error && <SkeletonRows kind="ticket" rows={3} />}
        {data && rows.length === 0 && (
          <p className={css.none}>
            {t('Nada por aqui. Menções, transferências e respostas dos seus atendimentos aparecem aqui.')}
          </p>
        )}
        <ul className={css.list}>
          {rows.map((row) => (
            <ConcernRow
              key={row.ticketId}
              of={row}
              at={row.at}
              what={happened(row)}
              text={row.text}
              isNew={!row.isRead}
              onOpen={() => open(row)}
            />
          ))}
        </ul>
        {hasNextPage && (
          <button type="button" className={css.more} disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('Mostrar mais')}
          </button>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

function BellHeader({ rows }: { rows: NotificationRow[] }) {
  return (
    <div className={css.header}>
      <h2>{t('Para você')}</h2>
      {rows.some((row) => !row.isRead) && (
        <button type="button" onClick={() => void markRead()}>
          {t('Marcar todas como lidas')}
        </button>
      )}
    </div>
  )
}
