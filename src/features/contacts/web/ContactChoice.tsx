import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { formatPhone } from '#domain/phone/shown.ts'
import { tickets } from '#features/ledger/addresses.ts'
import { query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { SearchIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { loadPhones, type Phones } from '#web/ui/inputs/phone-rule.ts'
import { contacts } from '../addresses.ts'
import css from './contact-choice.module.css'

type Person = { id: number; name: string; number: string | null; email?: string; profilePicUrl: string | null }

/** Typed number: E.164 with its country, or its problem. */
type Typed = { number: string; country: string; problem: string | null }

/**
 * Contact search by name, number or e-mail, with pointer or arrows and Enter; omits blocked contacts. Suggests those of
 * recent conversations before typing. `chosen` as a list selects several, which remain visible. `mergesInto` restricts it to
 * mergeable people, blocked ones included. `onNumber` allows choosing a valid typed number.
 */
export function ContactChoice(props: {
  chosen: number | null | readonly number[]
  onChoose: (id: number, name: string) => void
  onNumber?: (number: string) => void
  mergesInto?: number
}) {
  const { chosen, onChoose, onNumber, mergesInto } = props
  const isMany = typeof chosen === 'object' && chosen !== null
  const ids: readonly number[] = isMany ? chosen : chosen === null ? [] : [chosen]
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), 250)
    return () => clearTimeout(timer)
  }, [text])
  const narrowed = { ...(search && { searchParam: search }), ...(mergesInto !== undefined && { isGroup: false }) }
  const { data } = useQuery({
    ...query(contacts.list, { query: narrowed }),
    placeholderData: (before) => before,
  })
  const { data: recent } = useQuery({
    ...query(tickets.list, { query: { status: ['open', 'pending', 'closed'] } }),
    enabled: mergesInto === undefined,
  })
  const typed = useTyped(onNumber ? text : '')
  const found: readonly Person[] =
    data?.contacts.filter((one) => (mergesInto === undefined ? !one.blocked : one.id !== mergesInto)) ?? []
  const talked = search || text ? [] : peopleOf(recent?.tickets ?? [])
  const [picked, setPicked] = useState<readonly Person[]>([])
  const seen = new Set<number>()
  const offered = [...picked.filter(({ id }) => ids.includes(id)), ...talked, ...found].filter(
    ({ id }) => !seen.has(id) && seen.add(id),
  )
  const hasNumber = typed !== null && typed.problem === null
  const count = offered.length + Number(hasNumber)
  const current = Math.min(at, Math.max(0, count - 1))
  const choose = (one: Person) => {
    setPicked((all) => (isMany ? [...all.filter(({ id }) => id !== one.id), one] : [one]))
    onChoose(one.id, one.name)
  }
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.ctrlKey || event.metaKey || (!step && event.key !== 'Enter') || count === 0) return
    event.preventDefault()
    if (step) return setAt((current + step + count) % count)
    const one = offered[current - Number(hasNumber)]
    if (one) choose(one)
    else if (typed) onNumber?.(typed.number)
  }
  return (
    <>
      <TextInput
        data-autofocus
        value={text}
        placeholder={onNumber ? t('Nome, e-mail ou um número com DDD') : t('Nome, número ou e-mail')}
        aria-label={t('Buscar contato')}
        leftSection={<SearchIcon size={17} />}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={keys}
      />
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a name */}
      <div className={css.people} role={isMany ? 'group' : 'radiogroup'} aria-label={t('Contato')}>
        {typed &&
          (typed.problem ? (
            <p className={css.none}>{typed.problem}</p>
          ) : (
            <button
              type="button"
              className={css.person}
              data-current={current === 0 || undefined}
              onClick={() => onNumber?.(typed.number)}
            >
              <Avatar id={0} name="+" size={36} />
              <span>
                <b className="g-cut">{formatPhone(typed.number.slice(1))}</b>
                <span className="g-cut">{t('Escrever para este número · {country}', { country: typed.country })}</span>
              </span>
            </button>
          ))}
        {data && offered.length === 0 && !typed && (
          <p className={css.none}>
            {search
              ? t('Nenhum contato encontrado.')
              : onNumber
                ? t('Ainda não há contatos. Digite um número com DDD para começar.')
                : t('Ainda não há contatos. Eles aparecem quando alguém escreve, ou em Contatos.')}
          </p>
        )}
        {offered.map((one, index) => {
          const position = index + Number(hasNumber)
          return (
            <label
              key={one.id}
              ref={position === current ? intoView : undefined}
              className={css.person}
              data-chosen={ids.includes(one.id) || undefined}
              data-current={position === current || undefined}
            >
              <input
                type={isMany ? 'checkbox' : 'radio'}
                name="contact"
                checked={ids.includes(one.id)}
                onChange={() => choose(one)}
              />
              <Avatar id={one.id} name={one.name} src={one.profilePicUrl} size={36} />
              <span>
                <b className="g-cut">{one.name}</b>
                <span className="g-cut">{formatPhone(one.number) || one.email || t('Sem número')}</span>
              </span>
            </label>
          )
        })}
      </div>
    </>
  )
}

const intoView = (row: HTMLElement | null): void => row?.scrollIntoView({ block: 'nearest' })

/** Returns the contacts of recent conversations. */
const peopleOf = (
  rows: readonly {
    contactId: number
    name: string
    profilePicUrl: string | null
    contact: { number: string | null }
  }[],
): Person[] =>
  rows.map(({ contactId: id, name, profilePicUrl, contact: { number } }) => ({ id, name, profilePicUrl, number }))

/** Parses the typed text as a number; null if it is none. */
function useTyped(text: string): Typed | null {
  const [phones, setPhones] = useState<Phones>()
  const isNumber = /^\+?[\d\s().-]{6,}$/.test(text.trim()) && text.replace(/\D/g, '').length >= 6
  useEffect(() => {
    if (isNumber) void loadPhones().then(setPhones)
  }, [isNumber])
  if (!isNumber || !phones) return null
  const number = phones.wholePhone(phones.readPhone(text, 'BR'))
  const letters = phones.countryOf(number, 'BR')
  const verdict = phones.phoneVerdict(number)
  return {
    number,
    country: phones.countries.find(({ country }) => country === letters)?.name ?? letters,
    problem: verdict === true ? null : verdict,
  }
}
