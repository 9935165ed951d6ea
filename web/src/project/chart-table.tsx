import type { VNode } from 'preact';
import type { ChartBar, Series } from './bar-chart.tsx';

/** A chart in words. */
export function ChartTable({
  title,
  series,
  bars,
}: {
  readonly title: string;
  readonly series: readonly Series[];
  readonly bars: readonly ChartBar[];
}): VNode {
  const rows = bars.filter(({ parts }) => parts.some(({ value }) => value > 0)).toReversed();
  return (
    <details class="chart-table">
      <summary>As a table</summary>
      <div class="wide" tabIndex={0} role="region" aria-label={`${title}, as a table`}>
        <table>
          <thead>
            <tr>
              <th scope="col">When</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, parts }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {parts.map(({ value, href }, index) => (
                  <td key={series[index]?.name}>
                    {value === 0 ? '0' : <a href={href}>{value.toLocaleString()}</a>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
