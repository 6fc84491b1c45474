import { openLiveLine, type LineStream } from '../../src/report/live-line';
import { progressText } from '../../src/report/progress';
import { displayWidth } from '../../src/support/text-width';

/** A terminal that knows what the live line uses: text, line breaks, one line up, erase the line. */
function terminal() {
  const lines = [''];
  let row = 0;
  const write = (text: string): boolean => {
    for (const piece of text.match(/\u001b\[1A|\u001b\[2K|\n|[^\u001b\n]+/g) ?? []) {
      if (piece === '\u001b[1A') row -= 1;
      else if (piece === '\u001b[2K') lines[row] = '';
      else if (piece === '\n') lines[(row += 1)] ??= '';
      else lines[row] += piece;
    }
    return true;
  };
  const stream = (): LineStream => ({ write: write as LineStream['write'] });
  return { stream, screen: () => lines.join('\n').replace(/\n*$/, '\n') };
}

describe('live line', () => {
  test('is written anew in its place and gives way to others', () => {
    const { stream, screen } = terminal();
    const [stderr, stdout] = [stream(), stream()];
    const line = openLiveLine(stderr, [stdout]);
    line.show('1/2');
    line.show('2/2');
    expect(screen()).toBe('2/2\n');
    stderr.write('PASS a\n');
    expect(screen()).toBe('PASS a\n');
    line.show('3/3');
    expect(screen()).toBe('PASS a\n3/3\n');
    line.close();
    expect(screen()).toBe('PASS a\n');
  });

  test('erases nothing that others wrote to another stream', () => {
    const { stream, screen } = terminal();
    const [stderr, stdout] = [stream(), stream()];
    const line = openLiveLine(stderr, [stdout]);
    line.show('1/2');
    stdout.write('from a test\n');
    line.show('2/2');
    line.close();
    expect(screen()).toContain('from a test\n');
  });

  test('gives the streams back, unless somebody took them since', () => {
    const { stream } = terminal();
    const [stderr, stdout] = [stream(), stream()];
    const before = stderr.write;
    const line = openLiveLine(stderr, [stdout]);
    const later = stdout.write = (() => true) as LineStream['write'];
    line.close();
    expect(stderr.write).toBe(before);
    expect(stdout.write).toBe(later);
  });
});

test('progress fits on a line and names what is under way', () => {
  const progress = { cases: 20, passed: 5, failed: 1, errors: 1, trials: 40, trialsEnded: 14, running: [{ evalId: 'dim_bedroom', trial: 1 }, { evalId: '寝室'.repeat(30), trial: 0 }] };
  expect(progressText(progress, 60)).toBe('ADK eval  7/20 cases  ✗ 1  ! 1  running: dim_bedroom (tria…');
  expect(displayWidth(progressText(progress, 80))).toBeLessThan(80);
});
