import type { Configurations, Direction } from '#domain/flow/flow.ts'
import { formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import { BotIcon } from '#web/ui/icons.ts'
import { nameIn } from './labels.tsx'
import { type Names, useNames } from './names.ts'
import css from './silence-hint.module.css'

/** Hint of what happens if the customer does not answer a step, from the flow's settings. */
export function SilenceHint({ silence: { afterMs, direction } }: { silence: NonNullable<Configurations['silence']> }) {
  const names = useNames()
  const time = formatNumber(afterMs / 60_000)
  return (
    <p className={css.hint}>
      <BotIcon size={16} />
      {t('Sem resposta em {time} min: {where}, como diz Configurações.', { time, where: whereTo(direction, names) })}
    </p>
  )
}

function whereTo(direction: Direction, names: Names): string {
  switch (direction.to) {
    case 'queue':
      if (direction.queueId === null) return t('vai para a fila do canal')
      return t('vai para a fila {name}', { name: nameIn(names.queues, direction.queueId) })
    case 'user':
      return t('vai para {name}', { name: nameIn(names.users, direction.userId) })
    case 'channel':
      return t('continua no canal {name}', { name: nameIn(names.connections, direction.connectionId) })
    case 'close':
      return t('o atendimento é encerrado')
  }
}
