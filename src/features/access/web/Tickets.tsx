import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { VisibilityRule } from '#domain/tickets/visibility.ts'
import { ruleLabels } from '#features/tickets/web/visibility/rules.ts'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { access } from '../addresses.ts'
import type { UserAccess } from '../contract.ts'
import css from './access.module.css'

/** Section with the ticket visibility rules of a user, and a check of one ticket. */
export function Tickets({ about: { user, rules } }: { about: UserAccess }) {
  const sees = rules.find(({ rule }) => rule === 'showAll')?.applies ?? false
  // With show-all no other rule applies; rules that only filter lists are not shown.
  const shown = rules.filter(({ rule }) => ruleLabels[rule as VisibilityRule] && (rule === 'showAll' || !sees))
  return (
    <>
      <ul className={css.list}>
        {shown.map(({ rule, applies }) => (
          <li key={rule} className={css.row} data-off={!applies || undefined}>
            <span>{ruleLabels[rule as VisibilityRule]?.about}</span>
            <Pill tone={applies ? 'info' : 'plain'}>{applies ? t('Vale') : t('Não vale')}</Pill>
          </li>
        ))}
      </ul>
      <OneTicket key={user.id} userId={user.id} name={user.name} />
    </>
  )
}

function OneTicket({ userId, name }: { userId: number; name: string }) {
  const [text, setText] = useState('')
  const [asked, setAsked] = useState<number | null>(null)
  const { data, error } = useQuery({
    ...query(access.ticket, { params: { id: userId, ticketId: asked ?? 0 } }),
    enabled: asked !== null,
  })
  const isNumber = /^\d{1,15}$/.test(text.trim())
  const ask = (event: FormEvent) => {
    event.preventDefault()
    if (isNumber) setAsked(Number(text.trim()))
  }
  return (
    <form className={css.ask} onSubmit={ask}>
      <TextInput
        label={t('Número do atendimento')}
        inputMode="numeric"
        value={text}
        error={text !== '' && !isNumber && t('Use só os algarismos do número.')}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAsked(null)
        }}
      />
      <Button type="submit" variant="default" disabled={!isNumber}>
        {t('Conferir')}
      </Button>
      <p className={css.answer} aria-live="polite">
        {asked !== null && error && <span>{sentence(error)}</span>}
        {asked !== null && data && <Answer name={name} visible={data.visible} rule={data.rule as VisibilityRule} />}
      </p>
    </form>
  )
}

function Answer({ name, visible, rule }: { name: string; visible: boolean; rule: VisibilityRule }) {
  const labels = ruleLabels[rule]
  return (
    <>
      <Pill tone={visible ? 'pos' : 'neg'}>{visible ? t('Vê') : t('Não vê')}</Pill>{' '}
      {visible ? t('{name} vê este atendimento.', { name }) : t('{name} não vê este atendimento.', { name })}{' '}
      {visible ? labels?.yes : labels?.no}
    </>
  )
}
