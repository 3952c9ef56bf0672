import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { seesWide } from '#domain/access/profiles.ts'
import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import { useTicket } from '#features/messages/web/ticket/ticket.ts'
import { FieldInput } from '#web/fields/field.tsx'
import { isSettingOn, may, ranked } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import { SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import type { BulkArgs } from '../../bulk-contract.ts'
import css from './closing.module.css'
import { farewellChoices, offeredReasons } from './resolve.ts'

/** Maximum number of reasons shown as buttons, each with a digit key. */
const mostShown = 9
const money = { kind: 'money', label: t('Valor') } as const

type Props = {
  title: string
  /** Starts with the rating request switched off. */
  isUnrated?: boolean
  onResolve: (args: BulkArgs) => Promise<void>
  onClose: () => void
}

/** “Resolver” dialog of one ticket, prefilled with its reason and value. */
export function ClosingOne({ row, ...props }: Props & { row: TicketRow }) {
  const { ticket } = useTicket(row.id)
  if (!ticket) return null
  return <Closing {...props} asks="all" isRated={!row.isGroup} reason={ticket.reasons} value={ticket.value} />
}

/**
 * Dialog of closing: reason, farewell, rating request and, for one ticket, its value. A digit picks the reason of that
 * number and closes.
 */
export function Closing(
  props: Props & {
    /** `reason`: asks for the reason only. */
    asks?: 'all' | 'many' | 'reason'
    isRated?: boolean
    reason?: number | null
    value?: string | null
  },
) {
  const { title, isUnrated = false, asks = 'many', isRated = true, onResolve, onClose } = props
  const offered = [useQuery(offeredReasons()), useQuery(farewellChoices())] as const
  const [reasons, farewells] = [offered[0].data ?? [], offered[1].data ?? []]
  const isForced = isSettingOn('forceReason')
  const [reason, setReason] = useState(props.reason ?? null)
  const [farewell, setFarewell] = useState<number | null>(null)
  const [value, setValue] = useState(props.value ?? null)
  const [rates, setRates] = useState(!isUnrated)
  const [problem, setProblem] = useState(false)
  const isBusy = useRef(false)
  const mayLeaveRating = !isSettingOn('controlFeatures') || seesWide(ranked(), isSettingOn('supervisorAdmin'))
  const asksRating = asks !== 'reason' && isRated && isSettingOn('ratingStoreUse') && mayLeaveRating
  const known = reasons.some(({ id }) => id === reason)

  const submit = async (chosen: number | null) => {
    if (isForced && chosen === null) return setProblem(true)
    if (isBusy.current) return
    isBusy.current = true
    await onResolve({
      ...(chosen !== null && reasons.some(({ id }) => id === chosen) ? { reasons: chosen } : {}),
      ...(farewell === null ? {} : { farewellId: farewell }),
      ...(value === (props.value ?? null) ? {} : { value }),
      ...(rates ? {} : { unrated: true }),
    })
    isBusy.current = false
  }
  const pick = (id: number | null) => {
    setReason(id)
    setProblem(false)
  }
  const byDigit = (event: KeyboardEvent) => {
    const one =
      /^[1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey && reasons[Number(event.key) - 1]
    if (!one) return
    event.preventDefault()
    pick(one.id)
    void submit(one.id)
  }
  const missing = problem ? t('Escolha o motivo.') : undefined
  // Waits for all data: the first reason gets the focus, and none may be missing.
  if (offered.some(({ isPending }) => isPending)) return null
  return (
    <FormDialog title={title} action={t('Resolver')} onSubmit={() => submit(known ? reason : null)} onClose={onClose}>
      {reasons.length === 0 && isForced && (
        <p className={css.hint} role="alert">
          {may('reasons:write')
            ? t('A empresa exige o motivo, e ainda não há nenhum. Cadastre-os em Configurações, Motivos.')
            : t('A empresa exige o motivo, e ainda não há nenhum. Quem supervisiona pode cadastrá-los.')}
        </p>
      )}
      {reasons.length > 0 && reasons.length <= mostShown && (
        <fieldset className={css.reasons} onKeyDown={byDigit} aria-describedby="closing-keys">
          <legend>{t('Motivo')}</legend>
          {reasons.map(({ id, name }, index) => (
            <label key={id}>
              <input
                type="radio"
                name="reason"
                data-autofocus={(known ? id === reason : index === 0) || undefined}
                checked={id === reason}
                onChange={() => pick(id)}
              />
              <span className="g-cut">{name}</span>
              <kbd>{index + 1}</kbd>
            </label>
          ))}
          <p className={css.hint} id="closing-keys">
            {t('Digite o número do motivo para escolher e resolver.')}
          </p>
          {missing && (
            <p className={css.problem} role="alert">
              {missing}
            </p>
          )}
        </fieldset>
      )}
      {reasons.length > mostShown && (
        <Select
          data-autofocus
          openOnFocus={false}
          searchable
          clearable={!isForced}
          label={t('Motivo')}
          nothingFoundMessage={t('Nenhum motivo com esse nome')}
          data={reasons.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={known ? String(reason) : null}
          error={missing}
          onChange={(id) => pick(id === null ? null : Number(id))}
        />
      )}
      {asks === 'all' && <FieldInput field={money} value={value} onChange={(next) => setValue(next || null)} />}
      {asks !== 'reason' && farewells.length > 0 && (
        <Select
          data-autofocus={reasons.length === 0 || undefined}
          openOnFocus={false}
          searchable
          clearable
          label={t('Despedida')}
          placeholder={t('Sem despedida')}
          description={farewells.find(({ id }) => id === farewell)?.message}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          nothingFoundMessage={t('Nenhuma despedida com esse nome')}
          data={farewells.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={farewell === null ? null : String(farewell)}
          onChange={(id) => setFarewell(id === null ? null : Number(id))}
        />
      )}
      {asksRating && (
        <SwitchGroup>
          <SwitchRow
            name={t('Pedir avaliação')}
            effect={t('O cliente é convidado a dar uma nota de 0 a 5.')}
            checked={rates}
            onChange={setRates}
          />
        </SwitchGroup>
      )}
    </FormDialog>
  )
}
