import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Refusals } from '#features/bulk/web/index.ts'
import { ticketRow } from '#features/messages/web/ticket/store.ts'
import { notifyError, sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { ticketCommands } from '../../commands-addresses.ts'
import { Choice } from '../asked/Choice.tsx'
import own from '../asked/ticket-acts.module.css'
import { useConnections } from '../choices/choices.ts'
import { show } from './run.tsx'

const ask = (whatsappId: number, newWhatsappId: number, dryRun: boolean) =>
  call(
    ticketCommands.moveChannel,
    { body: { whatsappId, newWhatsappId, processAll: true, dryRun } },
    { quiet: true, long: true },
  )

/** “Transferir canal” dialog: moves all open and pending tickets of a connection to another one; shows their number first. */
export function MoveChannel({ id, name, onClose }: { id: number; name: string; onClose: () => void }) {
  const connections = useConnections()
  const [to, setTo] = useState<number | null>(null)
  const target = connections?.find((one) => one.id === to)
  const move = async (newId: number) => {
    try {
      show(await ask(id, newId, false))
      onClose()
    } catch (error) {
      notifyError(error)
    }
  }
  return (
    <Choice
      title={t('Transferir o canal “{name}”', { name })}
      hint={t(
        'Tudo o que está aberto ou pendente continua por outro canal; responsáveis, filas e histórico ficam. O que está a caminho sai por onde estava.',
      )}
      label={t('Canal de destino')}
      missing={t('Escolha o canal.')}
      button={t('Transferir canal')}
      rows={connections?.filter((one) => one.id !== id)}
      onChoose={setTo}
      onPick={move}
      onClose={onClose}
    >
      {to !== null && <Preview from={id} to={to} name={target?.name ?? ''} />}
    </Choice>
  )
}

function Preview({ from, to, name }: { from: number; to: number; name: string }) {
  const { data, error } = useQuery({
    queryKey: ['attendance', 'move-channel', from, to],
    queryFn: () => ask(from, to, true),
    staleTime: 0,
    gcTime: 0,
  })
  if (error) return <p role="alert">{sentence(error)}</p>
  if (!data) return <p role="status">{t('Contando os atendimentos…')}</p>
  const { total, done, refused, refusedCount } = data
  if (total === 0) return <p role="status">{t('Não há atendimentos abertos ou pendentes neste canal.')}</p>
  return (
    <div role="status" className={own.preview}>
      <p>
        {plural(done, t('atendimento passa'), t('atendimentos passam'))} {t('para “{name}”.', { name })}
      </p>
      {refusedCount > 0 && (
        <>
          <p>{plural(refusedCount, t('fica como está:'), t('ficam como estão:'))}</p>
          <Refusals refused={refused} nameOf={(one) => ticketRow(one)?.name} />
        </>
      )}
    </div>
  )
}
