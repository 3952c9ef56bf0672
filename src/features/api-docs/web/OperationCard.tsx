import { t } from '#web/t.ts'
import { ChevronDownIcon } from '#web/ui/icons.ts'
import { Pill, type Tone } from '#web/ui/identity/badges.tsx'
import { boundsText, type Operation, type SchemaRow, schemaRows, typeText } from './document.ts'
import css from './reference.module.css'
import { TryOut } from './TryOut.tsx'

const tones: Readonly<Record<string, Tone>> = { GET: 'info', POST: 'pos', PUT: 'warn', DELETE: 'neg' }

/** Card of one operation: expands to its parameters, responses, and a form to try it. */
export function OperationCard(props: {
  operation: Operation
  token: string
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}) {
  const { operation, token, isOpen, onToggle } = props
  const { method, path, summary, operationId } = operation
  return (
    <li id={operationId} className={css.operation}>
      <button type="button" aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
        <span>
          <Pill tone={tones[method] ?? 'plain'}>{method}</Pill>
        </span>
        <code>{path}</code>
        <span className={css.summary}>{summary}</span>
        <ChevronDownIcon size={16} />
      </button>
      {isOpen && <Details operation={operation} token={token} />}
    </li>
  )
}

function Details({ operation, token }: { operation: Operation; token: string }) {
  const { description, security, parameters, requestBody, responses } = operation
  const body = requestBody?.content['application/json']?.schema
  const { 200: answer, ...failures } = responses
  const answered = answer?.content?.['application/json']?.schema
  const given = parameters.map(
    ({ name, in: location, required, schema }): SchemaRow => ({
      depth: 0,
      name,
      type: `${typeText(schema)} · ${location === 'path' ? t('no endereço') : t('na consulta')}`,
      bounds: boundsText(schema),
      isRequired: required,
    }),
  )
  return (
    <div className={css.details}>
      <p className={css.access}>
        {security ? description?.replaceAll('`', '') : t('Sem login: qualquer um pode fazer este pedido.')}
      </p>
      {given.length > 0 && <Fields title={t('Parâmetros')} rows={given} />}
      {body && <Fields title={t('Corpo')} rows={schemaRows(body)} whole={typeText(body)} />}
      {answered && <Fields title={t('Resposta')} rows={schemaRows(answered)} whole={typeText(answered)} />}
      {Object.keys(failures).length > 0 && (
        <>
          <h3>{t('Erros')}</h3>
          <dl className={css.errors}>
            {Object.entries(failures).flatMap(([status, { description: codes }]) =>
              codes.split('\n').map((line) => {
                const [code, ...words] = line.split(': ')
                return (
                  <div key={line}>
                    <dt>
                      {status} <code>{code}</code>
                    </dt>
                    <dd>{words.join(': ')}</dd>
                  </div>
                )
              }),
            )}
          </dl>
        </>
      )}
      <TryOut operation={operation} token={token} />
    </div>
  )
}

function Fields({ title, rows, whole }: { title: string; rows: readonly SchemaRow[]; whole?: string }) {
  return (
    <>
      <h3>
        {title} {whole && <small>{whole}</small>}
      </h3>
      {rows.length > 0 && (
        <table className={css.fields}>
          <thead className="g-hidden">
            <tr>
              <th>{t('Campo')}</th>
              <th>{t('Valor')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ depth, name, type, bounds, isRequired }, index) => (
              // Several places may have a field of the same name; the order never changes.
              <tr key={index}>
                <td data-depth={depth}>
                  <code>{name}</code>
                  {isRequired && <span className={css.required}>{t('obrigatório')}</span>}
                </td>
                <td>
                  {type}
                  {bounds && <small>{bounds}</small>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
