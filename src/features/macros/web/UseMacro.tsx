import { Button, Modal, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BulkArgs } from '#features/tickets/bulk-contract.ts'
import { offeredReasons } from '#features/tickets/web/closing/resolve.ts'
import { labelOf } from '#web/actions/labels.ts'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { folded } from '#web/fold.ts'
import { choicesOf } from '#web/resource/read-all.ts'
import { isSettingOn, may } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import dialogs from '#web/ui/feedback/dialogs.module.css'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Stage } from '#web/ui/identity/badges.tsx'
import { macros } from '../addresses.ts'
import type { Macro } from '../contract.ts'
import { MacroSteps } from './MacroSteps.tsx'
import css from './macros.module.css'

type Props = {
  title: string
  /** Ticket for the preview; null if the macro is used on many tickets. */
  ticketId: number | null
  /** Called with the close reason, if the company requires one and the macro has none. */
  onUse: (macro: Macro, args: BulkArgs) => Promise<void>
  onClose: () => void
}

/** “Usar macro”: dialog that chooses a macro and shows each action's effect before running it. */
export function UseMacro({ title, ticketId, onUse, onClose }: Props) {
  const [chosen, setChosen] = useState<Macro | null>(null)
  return (
    <Modal opened onClose={onClose} size={480} title={chosen?.name ?? title}>
      {chosen ? (
        <Preview macro={chosen} ticketId={ticketId} onUse={onUse} onBack={() => setChosen(null)} />
      ) : (
        <Chooser onChoose={setChosen} />
      )}
    </Modal>
  )
}

function Chooser({ onChoose }: { onChoose: (macro: Macro) => void }) {
  const [typed, setTyped] = useState('')
  const { data, error, refetch } = useQuery({ ...choicesOf(macros.list, (page) => page.items), staleTime: 0 })
  const found = data?.filter(({ name }) => folded(name).includes(folded(typed.trim())))
  if (error) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  if (data?.length === 0)
    return (
      <p className={css.hint}>
        {may('macros:write')
          ? t('Ainda não há macros. Crie a primeira em Automação, Macros.')
          : t('Ainda não há macros. Quem supervisiona pode criá-las.')}
      </p>
    )
  return (
    <form
      className={dialogs.form}
      onSubmit={(event) => {
        event.preventDefault()
        const [first] = found ?? []
        if (first) onChoose(first)
      }}
    >
      <TextInput
        data-autofocus
        aria-label={t('Buscar macros')}
        placeholder={t('Buscar macros')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {!found && <SkeletonRows kind="card" rows={3} />}
      {found?.length === 0 && <p className={css.hint}>{t('Nenhuma macro com esse nome.')}</p>}
      <ul className={css.choices} aria-label={t('Macros')}>
        {found?.map((macro) => (
          <li key={macro.id}>
            <button type="button" onClick={() => onChoose(macro)}>
              <Stage name={macro.name} color={macro.color} />
              <span className="g-cut">{macro.steps.map(labelOf).join(' · ')}</span>
            </button>
          </li>
        ))}
      </ul>
    </form>
  )
}

function Preview(props: Pick<Props, 'ticketId' | 'onUse'> & { macro: Macro; onBack: () => void }) {
  const { macro, ticketId, onUse, onBack } = props
  const [busy, setBusy] = useState(false)
  const [reason, setReason] = useState<number | null>(null)
  const asksReason =
    isSettingOn('forceReason') && macro.steps.some(({ action }) => action.kind === 'close' && action.reasonId == null)
  const { data: offered } = useQuery({ ...offeredReasons(), enabled: asksReason })
  const reasons = reason === null ? {} : { reasons: reason }
  const { data, error, refetch } = useQuery({
    ...query(macros.preview, { params: { id: macro.id, ticketId: ticketId ?? 0 }, query: reasons }),
    enabled: ticketId !== null,
    staleTime: 0,
    gcTime: 0,
  })
  const writes = macro.steps.some(({ action }) => action.kind === 'text')
  const isRefused = data ? !data.mayRun : macro.steps.some(({ problem }) => problem !== null)
  if (error) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  const use = async () => {
    setBusy(true)
    await onUse(macro, reasons)
    setBusy(false)
  }
  return (
    <div className={dialogs.form}>
      {ticketId !== null && !data ? <SkeletonRows kind="card" rows={3} /> : <MacroSteps macro={macro} preview={data} />}
      {asksReason && (
        <Select
          label={t('Motivo')}
          description={t('A macro resolve, e a empresa exige que se diga por quê.')}
          searchable
          allowDeselect={false}
          data={(offered ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={reason === null ? null : String(reason)}
          onChange={(id) => id && setReason(Number(id))}
        />
      )}
      <p className={css.hint} role="status">
        {isRefused
          ? t('Nada é feito enquanto um dos passos não puder ser feito.')
          : writes
            ? t('Tudo é feito de uma vez e pode ser desfeito logo depois; só então o texto sai para o cliente.')
            : t('Tudo é feito de uma vez e pode ser desfeito logo depois.')}
      </p>
      <div className={dialogs.footer}>
        <Button variant="default" onClick={onBack}>
          {t('Escolher outra')}
        </Button>
        <Button
          data-autofocus
          disabled={isRefused || (ticketId !== null && !data)}
          loading={busy}
          onClick={() => void use()}
        >
          {t('Usar macro')}
        </Button>
      </div>
    </div>
  )
}
