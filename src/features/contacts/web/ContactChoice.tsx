import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatPhone } from '#domain/phone/shown.ts'
import { query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { SearchIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { contacts } from '../addresses.ts'
import css from './contact-choice.module.css'

/**
 * Finds a contact by name, number or e-mail; blocked ones are not offered. The one that is chosen stays in sight. Of whom
 * a contact (`mergesInto`) may be merged with, it offers people alone, blocked ones too.
 */
export function ContactChoice(props: { chosen: number | null; onChoose: (id: number) => void; mergesInto?: number }) {
  const { chosen, onChoose, mergesInto } = props
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), 250)
    return () => clearTimeout(timer)
  }, [text])
  const narrowed = { ...(search && { searchParam: search }), ...(mergesInto !== undefined && { isGroup: false }) }
  const { data } = useQuery({
    ...query(contacts.list, { query: narrowed }),
    placeholderData: (before) => before,
  })
  const found = data?.contacts.filter((one) => (mergesInto === undefined ? !one.blocked : one.id !== mergesInto)) ?? []
  const [picked, setPicked] = useState<(typeof found)[number]>()
  const isOut = picked !== undefined && picked.id === chosen && !found.some((one) => one.id === chosen)
  const offered = isOut ? [picked, ...found] : found
  return (
    <>
      <TextInput
        data-autofocus
        value={text}
        placeholder={t('Nome, número ou e-mail')}
        aria-label={t('Buscar contato')}
        leftSection={<SearchIcon size={17} />}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={css.people} role="radiogroup" aria-label={t('Contato')}>
        {data && found.length === 0 && <p className={css.none}>{t('Nenhum contato encontrado.')}</p>}
        {offered.map((one) => (
          <label key={one.id} className={css.person} data-chosen={one.id === chosen || undefined}>
            <input
              type="radio"
              name="contact"
              checked={one.id === chosen}
              onChange={() => {
                setPicked(one)
                onChoose(one.id)
              }}
            />
            <Avatar id={one.id} name={one.name} src={one.profilePicUrl} size={36} />
            <span>
              <b className="g-cut">{one.name}</b>
              <span className="g-cut">{formatPhone(one.number) || one.email || t('Sem número')}</span>
            </span>
          </label>
        ))}
      </div>
    </>
  )
}
