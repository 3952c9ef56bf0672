import { Button, Modal, Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { users } from '#features/users/addresses.ts'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call, pages } from '#web/client.ts'
import { t } from '#web/t.ts'
import { MoreButton } from '#web/ui/feedback/MoreButton.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { presenceOf } from '#web/ui/identity/presence.ts'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { teams } from '../addresses.ts'
import type { TeamRow } from '../contract.ts'
import css from './teams.module.css'

/** Dialog of a team's members; changes apply at once. */
export function Members({ team, onClose }: { team: TeamRow; onClose: () => void }) {
  const [search, setSearch] = useState('')
  const list = useInfiniteQuery(pages(teams.members, { params: { id: team.id } }))
  const members = list.data?.pages.flatMap((page) => page.items) ?? []
  const found = useInfiniteQuery(pages(users.list, { query: { searchParam: search } }))
  const isMember = (id: number) => members.some((one) => one.userId === id)
  const others = (found.data?.pages.flatMap((page) => page.users) ?? []).filter((one) => !isMember(one.id))
  const add = (userId: number) =>
    attempt(() => call(teams.addMember, { body: { userId, groupId: team.id } }, { quiet: true }))
  const remove = (userId: number) =>
    attempt(() => call(teams.removeMember, { params: { userId, groupId: team.id } }, { quiet: true }))
  return (
    <Modal opened onClose={onClose} size={480} title={t('Pessoas de “{group}”', { group: team.group })}>
      <Select
        label={t('Incluir alguém')}
        placeholder={t('Nome ou e-mail')}
        searchable
        data-autofocus
        searchValue={search}
        onSearchChange={setSearch}
        filter={({ options }) => options}
        nothingFoundMessage={t('Ninguém mais com esse nome')}
        data={others.map((one) => ({ value: String(one.id), label: one.name }))}
        value={null}
        onChange={(id) => {
          if (id) void add(Number(id))
          setSearch('')
        }}
      />
      {list.isPending && <SkeletonRows kind="card" rows={3} />}
      {list.isError && <LoadError text={sentence(list.error)} retry={() => void list.refetch()} />}
      {list.isSuccess && members.length === 0 && (
        <p className={css.hint}>{t('Ninguém faz parte desta equipe ainda.')}</p>
      )}
      <ul className={css.members} aria-label={t('Pessoas de {group}', { group: team.group })}>
        {members.map((one) => (
          <li key={one.userId}>
            <NameCell
              picture={<Avatar id={one.userId} name={one.name} size={34} status={presenceOf(one)} />}
              name={one.name}
              detail={one.email}
            />
            <Button variant="default" size="sm" onClick={() => void remove(one.userId)}>
              {t('Tirar')}
              <span className="g-hidden"> {one.name}</span>
            </Button>
          </li>
        ))}
      </ul>
      <MoreButton list={list} />
    </Modal>
  )
}
