import type { Turn } from '../../../src/context/message.ts';

/** Pairs of request and reply as turns. */
export function exchanges(...texts: readonly (readonly [string, string])[]): Turn[] {
  return texts.flatMap(([user, assistant]): Turn[] => [
    { role: 'user', content: user },
    { role: 'assistant', content: assistant },
  ]);
}

/** A bug in the login of a fictional project. */
export const LOGIN: readonly Turn[] = exchanges(
  [
    'The login form fails with a 500 error when the password has an umlaut. Can you look at src/auth/login.ts?',
    'I read `src/auth/login.ts`. The password goes to `hashPassword` without being normalised, so the hash differs from the stored one.',
  ],
  [
    'Where is hashPassword defined?',
    'In `src/auth/password.ts`. `hashPassword` calls scrypt with the raw password; `verifyPassword` in the same file normalises first.',
  ],
  [
    'Then normalise in hashPassword too and run the auth tests.',
    'Done: `hashPassword` now calls `password.normalize("NFKC")`. I ran `npm test -- auth`: 14 passed.',
  ],
  [
    'Does the login form still show the error when the password is wrong?',
    'Yes, `login.ts` returns 401 with "wrong password" and the login form shows it. The 500 is gone.',
  ],
);

/** Work on the README of the same project, starting with `request`. */
export function readme(request: string): Turn[] {
  return exchanges(
    [request, 'I added a section "Installation" to `README.md` with the npm command and the required Node version.'],
    [
      'Mention the Docker image in the README as well.',
      'The README section "Installation" now has a paragraph about the Docker image with a `docker run` example.',
    ],
    ['And a badge for the build.', 'There is now a build badge at the top of `README.md`.'],
  );
}

/** A chart in a fictional dashboard. */
export const CHART: readonly Turn[] = exchanges(
  [
    'The revenue chart on the dashboard draws its axis labels on top of each other.',
    'In `web/chart/axis.tsx` the axis labels have no minimum distance. I can rotate the labels or drop every second tick of the axis.',
  ],
  [
    'Drop every second tick when the labels overlap.',
    '`axis.tsx` now measures the labels and drops ticks of the axis until none overlap; the revenue chart looks right.',
  ],
  [
    'Do the same for the tooltip of the chart, it is cut off at the right edge.',
    '`web/chart/tooltip.tsx` flips the tooltip to the left of the cursor when it would leave the chart.',
  ],
);

/** Two errands at a fictional service desk; the second starts with message 6. */
export const ERRANDS: readonly string[] = [
  'I need a table for 4 people at an Italian restaurant on Friday.',
  'There are 3 Italian restaurants with a free table on Friday. Which price range?',
  'A cheap restaurant please, and the table at 19:30.',
  'Your table for 4 at Da Mario, Friday 19:30, is reserved. The reference is K2Q.',
  'Thank you, that is all for the restaurant.',
  'You are welcome. Enjoy your meal!',
  'I also need to find a bus to the airport.',
  'The airport bus leaves every 20 minutes. When do you want to take the bus?',
  'Please find one that reaches the airport by 08:15.',
  'Bus 7 leaves at 07:20 and reaches the airport at 08:05.',
];

/** Steps of an agent at two fictional tasks; the second starts with step 6. */
export const STEPS: readonly string[] = [
  'The ferry timetable parser drops the last departure. Let me find the parser.\n$ grep -rn "parse_timetable" ferry/',
  '`parse_timetable` is in `ferry/timetable.py`. I will read how it splits the departures.\n$ sed -n "1,80p" ferry/timetable.py',
  'The loop in `parse_timetable` stops one departure early: `range(len(departures) - 1)`.\n$ sed -i "s/len(departures) - 1/len(departures)/" ferry/timetable.py',
  'Now a test with three departures for `parse_timetable`.\n$ cat > tests/test_timetable.py',
  'The timetable test fails because a departure has no platform. I will allow that in `ferry/timetable.py`.\n$ python -m pytest tests/test_timetable.py',
  'All departures are parsed and the timetable tests pass.\n$ python -m pytest tests/test_timetable.py -q',
  'Tickets are printed without a currency symbol. `format_price` should know the currency.\n$ grep -rn "format_price" shop/tickets/',
  '`format_price` in `shop/tickets/price.py` ignores the `currency` argument of the ticket.\n$ cat shop/tickets/price.py',
  'I add a table of currency symbols to `price.py` and use it in `format_price`.\n$ python edit_price.py shop/tickets/price.py',
  'The ticket template passes only the amount; it must pass the currency to `format_price` too.\n$ grep -n "format_price" shop/tickets/template.html',
  'Ticket prices now carry their currency symbol. I run the price tests.\n$ python -m pytest tests/test_price.py',
  'The price tests pass; one ticket fixture had a wrong currency.\n$ git diff shop/tickets/',
];
