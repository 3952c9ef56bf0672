import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { everywhereKey, type TicketAssistant } from '#domain/tickets/assistants.ts'
import { settings } from '#features/settings/addresses.ts'
import { call, query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { onOff, saveChoice } from '#web/ui/feedback/save-choice.ts'
import { SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import css from './assistants.module.css'

/** Hook for an on/off setting: its stored value and a save function. */
function useSwitch(key: string, label: string) {
  const { data, refetch } = useQuery(query(settings.list))
  const isOn = data?.find((one) => one.key === key)?.value === 'enabled'
  const set = (next: boolean) =>
    void saveChoice({
      ...{ label, before: isOn, next, labelOf: onOff },
      save: async (value: boolean) => {
        await call(
          settings.set,
          { params: { key }, body: { key, value: value ? 'enabled' : 'disabled' } },
          { quiet: true },
        )
        await refetch()
      },
    })
  return { isKnown: data !== undefined, isOn, set }
}

type Of = { readonly name: string; readonly ticketSwitch: TicketAssistant }

/** Whether a provider's accounts may answer at all, in the head of its screen. */
export function MayAnswer({ name, ticketSwitch }: Of) {
  const { isKnown, isOn, set } = useSwitch(ticketSwitch, t('{name} pode responder', { name }))
  return isKnown ? (
    <Switch
      className={css.ownSwitch ?? ''}
      labelPosition="left"
      aria-label={t('{name} pode responder', { name })}
      label={isOn ? t('Ligado') : t('Desligado')}
      title={t('Desligado, nenhuma conta de {name} responde, onde quer que esteja escolhida.', { name })}
      checked={isOn}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  ) : null
}

/** Whether the default account of a provider answers on every connection. */
export function AnswersEverywhere({ ticketSwitch }: Pick<Of, 'ticketSwitch'>) {
  const { isKnown, isOn, set } = useSwitch(everywhereKey(ticketSwitch), t('Em todos os atendimentos novos'))
  return isKnown ? (
    <SwitchGroup>
      <SwitchRow
        name={t('Em todos os atendimentos novos')}
        effect={t('A conta padrão responde em todos os canais que não têm outro assistente.')}
        checked={isOn}
        onChange={set}
      />
    </SwitchGroup>
  ) : null
}
