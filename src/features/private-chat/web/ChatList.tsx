import { SegmentedControl, TextInput } from '@mantine/core'
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { Peer } from '#domain/private-chat/conversation.ts'
import { teamEvents } from '#features/teams/addresses.ts'
import { userEvents } from '#features/users/addresses.ts'
import { sentence } from '#web/api.ts'
import { pages } from '#web/client.ts'
import { formatListTime } from '#web/format.ts'
import { useLive } from '#web/resource/use-list.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { MoreButton } from '#web/ui/feedback/MoreButton.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { SearchIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Counter } from '#web/ui/identity/badges.tsx'
import { privateChat } from '../addresses.ts'
import { pathOf } from './paths.ts'
import css from './private-chat.module.css'

type Row = {
  readonly id: number
  readonly name: string
  readonly isOnline: boolean
  readonly unreadCount: number
  readonly timestamp: number | null
  readonly lastMessage: string | null
}

/** List of colleagues and teams, latest conversation first. */
export function ChatList(props: { chosen: Peer | null; onOpen: (peer: Peer) => void; isPicker?: boolean }) {
  const { chosen, onOpen, isPicker } = props
  const [ofTeams, setOfTeams] = useState(chosen?.isGroup ?? false)
  const [search, setSearch] = useState('')
  const searchParam = useDeferredValue(search.trim()) || undefined
  return (
    <section className={css.list} aria-label={t('Conversas')}>
      <header className={css.listHeader}>
        {!isPicker && <h1 className="g-title">{t('Chat privado')}</h1>}
        <SegmentedControl
          fullWidth
          aria-label={t('Com quem')}
          value={ofTeams ? 'teams' : 'people'}
          onChange={(value) => setOfTeams(value === 'teams')}
          data={[
            { value: 'people', label: t('Usuários') },
            { value: 'teams', label: t('Equipes') },
          ]}
        />
        <TextInput
          aria-label={t('Buscar conversa')}
          placeholder={ofTeams ? t('Buscar equipe') : t('Buscar colega')}
          leftSection={<SearchIcon size={17} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </header>
      {ofTeams ? (
        <Teams searchParam={searchParam} chosen={chosen} onOpen={onOpen} />
      ) : (
        <Colleagues searchParam={searchParam} chosen={chosen} onOpen={onOpen} />
      )}
    </section>
  )
}

type Shown = { searchParam: string | undefined; chosen: Peer | null; onOpen: (peer: Peer) => void }

function Colleagues({ searchParam, ...shown }: Shown) {
  const list = useInfiniteQuery(pages(privateChat.colleagues, { query: { searchParam } }))
  useLive(privateChat.colleagues.family, [userEvents.online, userEvents.changed])
  const rows = list.data?.pages.flatMap((page) => page.users)
  return <Rows {...shown} list={list} rows={rows} isGroup={false} none={t('Ninguém com esse nome.')} />
}

function Teams({ searchParam, ...shown }: Shown) {
  const own = { params: { userId: viewer().userId }, query: { searchParam } }
  const list = useInfiniteQuery(pages(privateChat.groups, own))
  useLive(privateChat.groups.family, [userEvents.online, teamEvents.changed])
  const rows = list.data?.pages.flatMap((page) => page.groups.map(({ group, ...row }) => ({ ...row, name: group })))
  const none = searchParam ? t('Nenhuma equipe com esse nome.') : t('Você ainda não faz parte de uma equipe.')
  return <Rows {...shown} list={list} rows={rows} isGroup none={none} />
}

type Listed = Pick<UseInfiniteQueryResult, 'error' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>

function Rows(props: {
  list: Listed
  rows: readonly Row[] | undefined
  isGroup: boolean
  none: string
  chosen: Peer | null
  onOpen: (peer: Peer) => void
}) {
  const { list, rows, isGroup, none, chosen, onOpen } = props
  if (list.error && !rows) return <LoadError text={sentence(list.error)} retry={() => void list.refetch()} />
  if (!rows) return <SkeletonRows kind="table" />
  return (
    <div className={css.rows}>
      {rows.length === 0 && <p className={css.empty}>{none}</p>}
      <ul>
        {rows.map((row) => {
          const peer = { id: row.id, isGroup }
          const isChosen = chosen !== null && pathOf(chosen) === pathOf(peer)
          return (
            <li key={row.id}>
              <button
                type="button"
                className={css.row}
                aria-current={isChosen || undefined}
                data-unread={row.unreadCount > 0 || undefined}
                onClick={() => onOpen(peer)}
              >
                <Avatar
                  id={isGroup ? `team ${row.id}` : row.id}
                  name={row.name}
                  size={40}
                  square={isGroup}
                  status={row.isOnline ? 'online' : 'offline'}
                />
                <span className={css.rowText}>
                  <span className={css.rowPart}>
                    <b className="g-cut">{row.name}</b>
                    {row.timestamp !== null && <time>{formatListTime(row.timestamp)}</time>}
                  </span>
                  <span className={css.rowPart}>
                    <span className="g-cut">{row.lastMessage ?? t('Nenhuma mensagem ainda')}</span>
                    <Counter value={row.unreadCount} tone="accent" small unit={[t('não lida'), t('não lidas')]} />
                  </span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      <MoreButton list={list} />
    </div>
  )
}
