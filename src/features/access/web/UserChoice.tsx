import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { users } from '#features/users/addresses.ts'
import { query } from '#web/client.ts'
import { t } from '#web/t.ts'
import css from './access.module.css'

/** Finds a colleague by name or e-mail. */
export function UserChoice(props: {
  chosen: { id: number; name: string } | null
  onChoose: (id: number | null) => void
}) {
  const { chosen, onChoose } = props
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const asked = text === chosen?.name ? '' : text.trim()
    const timer = setTimeout(() => setSearch(asked), 250)
    return () => clearTimeout(timer)
  }, [text, chosen?.name])
  const { data } = useQuery({
    ...query(users.list, { query: search ? { searchParam: search } : {} }),
    placeholderData: (before) => before,
  })
  const found = data?.users ?? []
  const people = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found
  return (
    <Select
      className={css.choice}
      aria-label={t('Usuário')}
      placeholder={t('Nome ou e-mail do usuário')}
      data={people.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={chosen ? String(chosen.id) : null}
      searchable
      // The server has searched already, in names and e-mails.
      filter={({ options }) => options}
      onSearchChange={setText}
      nothingFoundMessage={t('Nenhum usuário encontrado.')}
      onChange={(value) => onChoose(value === null ? null : Number(value))}
    />
  )
}
