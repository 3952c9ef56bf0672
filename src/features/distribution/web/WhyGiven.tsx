import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import css from '#features/tickets/web/visibility/visibility.module.css'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { distribution } from '../addresses.ts'
import { overflowOf, whyNot, whyOf } from './labels.ts'

/**
 * “Por que veio para mim?”, “Por que ninguém atende?”: dialog that explains the distribution's decision, with the reason for
 * each other agent.
 */
export function WhyGiven({ id, title, onClose }: { id: number; title: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({ ...query(distribution.why, { params: { id } }), staleTime: 0 })
  const overflow = data && overflowOf(data)
  return (
    <Modal opened onClose={onClose} size={480} title={title}>
      <div className={css.about}>
        {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
        {!data && !error && <SkeletonRows kind="table" rows={3} />}
        {data && <p role="status">{whyOf(data)}</p>}
        {overflow && <p className={css.hint}>{overflow}</p>}
        {data && data.people.length > 0 && (
          <ul>
            {data.people.map((one) => (
              <li key={one.id}>
                <NameCell
                  picture={<Avatar id={one.id} name={one.name} size={30} />}
                  name={one.name}
                  detail={whyNot(one.reason, data.mode)}
                  faded
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Modal>
  )
}
