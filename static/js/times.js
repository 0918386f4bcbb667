/* Moments in the reader's time zone. The server writes them in the zone of the office and names it; that text stays as the tooltip.
   Days (closing dates, days in force) are those of the office everywhere and are left alone. */
(() => {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short',
  });
  const offset = moment => {
    const minutes = -moment.getTimezoneOffset();
    const two = number => String(number).padStart(2, '0');
    return `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  };
  const show = root => {
    for (const time of root.querySelectorAll('time[datetime*="T"]:not([title])')) {
      const moment = new Date(time.dateTime);
      if (time.dateTime.endsWith(offset(moment))) continue; // the office has the same clock
      time.title = time.textContent;
      time.textContent = format.format(moment).replace('Sept', 'Sep');
    }
  };
  show(document);
  document.addEventListener('htmx:load', event => show(event.target));
})();
