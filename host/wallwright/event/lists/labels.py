"""The words by which lists call their columns, in the languages of the game, and which kind of column each means.

A label is compared without case, accents and signs. It may be a question of a form ("What is your name?"), have a
remark in brackets, or say the same in two languages.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

FULL, FAMILY, GIVEN, ANY_NAME, PLAYER, ALIAS = "full", "family", "given", "any name", "player", "alias"
PREFIX, CLUB, BODY, COUNTRY, PLACE = "prefix", "club", "body", "country", "place"
ID, ISSUER, NUMBER = "id", "issuer", "number"
BARE_ID, APART, PRIVATE, OTHER = "bare id", "apart", "private", "other"
NAMES = (FULL, FAMILY, GIVEN, ANY_NAME, PLAYER)
"""ANY_NAME is a word that means the full name, the family name or the given name, depending on the columns beside it.

ALIAS is another way to write or call somebody: kana, pinyin, a nickname. A BODY is larger than a club. An ISSUER with
a NUMBER is an ID. A BARE_ID may be a number of the list itself.
"""
_VOCABULARY = {
    FULL: """
        fullname|full names|firstandlastname|firstlastname|lastfirstname|first and family name|name and surname|
        surname and name|complete name|displayname|player name|player names|playername|participant name|
        name of player|vor und nachname|vor und zuname|vor und familienname|vorundnachname|namevorname|
        spielername|teilnehmername|nomcomplet|nom et prenom|nomprenom|prenomnom|nominativo|nome completo|
        nombrecompleto|naamvoornaam|volledige naam|spelersnaam|imie i nazwisko|nazwisko i imie|imieinazwisko|
        фио|ф и о|полное имя|фамилия имя отчество|піб|імя та прізвище|姓名|选手姓名|選手姓名|参赛者姓名|
        真实姓名|氏名|選手氏名|성명|성함|참가자명|선수명|teljes nev|jmeno a prijmeni|meno a priezvisko|
        nome e apelido|ad soyad|adi soyadi|ime i prezime|ho va ten|ho ten|nama lengkap|namn och efternamn|
        ονοματεπωνυμο""",
    FAMILY: """
        贵姓|familyname|lastname|surname|last|nachname|familienname|zuname|nom de famille|nomdefamille|cognome|
        apellido|apellidos|primer apellido|segundo apellido|apellido 1|apellido 2|apellido1|apellido2|
        achternaam|familienaam|nazwisko|фамилия|прізвище|姓|姓氏|苗字|名字姓|성|성씨|efternamn|etternavn|
        efternavn|sukunimi|prijmeni|priezvisko|vezeteknev|csaladnev|sobrenome|apelido|nume de familie|soyad|
        soyadi|soyisim|prezime|priimek|perekonnanimi|pavarde|uzvards|επωνυμο|nama belakang""",
    GIVEN: """
        givenname|given|firstname|forename|christianname|first|vorname|rufname|vornamen|prenom|prenoms|
        nome di battesimo|nombre de pila|voornaam|roepnaam|имя отчество|imiona|имена|名前名|下の名前|
        given name s|fornamn|fornavn|etunimi|krestni jmeno|krstne meno|keresztnev|utonev|prenume|primeiro nome|
        isim|eesnimi|vardas|vards|nama depan|middlename|second given name""",
    ANY_NAME: """
        称呼|name|names|namen|nom|noms|nome|nomi|nombre|nombres|naam|namn|navn|nimi|imie|имя|імя|ім я|имена|
        jmeno|meno|nev|nume|ime|vardas pavarde|ονομα|nama|名字|名称|名前|お名前|名|이름|wie heisst|heissen sie|
        heisst du|te llamas|se llama|appelez vous|t appelles|si chiama|ti chiami|heet je|heet u|как вас зовут|
        вас зовут|тебя зовут|nazywasz|nazywa""",
    PLAYER: """
        player|players|participant|participants|competitor|entrant|attendee|spieler|spielerin|spieler in|
        spielerinnen|teilnehmer|teilnehmerin|teilnehmende|teilnehmer in|joueur|joueuse|joueurs|participante|
        giocatore|giocatrice|giocatori|partecipante|partecipanti|jugador|jugadora|jugadores|participantes|
        speler|spelers|deelnemer|deelnemers|gracz|gracze|zawodnik|zawodnicy|uczestnik|uczestnicy|игрок|игроки|
        участник|участники|гравець|选手|選手|选手名|選手名|參賽者|参赛者|参赛选手|参赛人|球员|队员|牌手|玩家|
        参加者|参加者名|出場者|선수|참가자|spelare|deltagare|spiller|deltager|pelaaja|osallistuja|hrac|jatekos|
        jogador|jogadores|jucator|oyuncu|igrac|παικτης|pemain|pelajar|nguoi choi""",
    ALIAS: """
        nickname|nick|alias|username|screen name|handle|spitzname|surnom|pseudo|soprannome|apodo|bijnaam|
        pseudonim|ник|никнейм|昵称|暱稱|网名|ニックネーム|ハンドルネーム|プレイヤー名ローマ字|닉네임|별명|kana|
        furigana|romaji|pinyin|latin|romanized name|english name|name in english|フリガナ|ふりがな|カナ|かな|
        よみ|よみがな|読み|読み仮名|ローマ字|英字|拼音|英文名|英文姓名|영문|영문이름|영문명""",
    PREFIX: "tussenvoegsel|tussenvoegsels|namenspraefix|voorvoegsel",
    CLUB: """
        druzstvo|club|clubs|clubname|team|teamname|squad|verein|vereine|vereinsname|mannschaft|
        spielgemeinschaft|spielort verein|association sportive|equipe|societe|societa|squadra|circolo|sodalizio|
        asd|equipo|sociedad|vereniging|ploeg|klub|kluby|klubie|klubu|druzyna|druzynie|zespol|клуб|клубе|клуба|
        команда|команду|команде|俱乐部|俱樂部|社团|社團|社|队伍|战队|团队|队名|隊名|队|隊|代表队|代表隊|所属|
        所属クラブ|クラブ|クラブ名|チーム|チーム名|雀荘|소속|클럽|팀|동호회|klubb|forening|seura|oddil|
        egyesulet|clube|klubi|kulup|takim|ομαδα|συλλογος|cau lac bo|klub asal|lag|hold|tym|csapat|equipa""",
    BODY: """
        association|federation|society|organisation|organization|affiliation|school|university|verband|schule|
        associazione|asociacion|federacion|bond|stowarzyszenie|общество|организация|单位|單位|协会|協會|團體|
        团体|学校|団体|団体名|協会|협회|단체|associacao""",
    COUNTRY: """
        country|nation|nationality|nat|noc|fed|ioc|land|nationalitaet|nationalitat|staat|pays|nationalite|paese|
        nazione|nazionalita|pais|nacionalidad|nationaliteit|kraj|narodowosc|страна|国家|國家|地区|地區|国|国籍|
        국가|국적|maa|zeme|orszag|ulke""",
    PLACE: """
        city|town|place|region|state|canton|hometown|residence|ort|wohnort|stadt|kanton|bundesland|ville|
        commune|citta|comune|provincia|ciudad|localidad|stad|woonplaats|plaats|miasto|miejscowosc|wojewodztwo|
        город|регион|城市|省份|地址|都道府県|住所|市|도시|지역|address|adresse|anschrift|indirizzo|direccion|
        adres|адрес""",
    BARE_ID: "id|ids|player id|playerid|kennung",
    ID: """
        licensnummer|lisensnummer|jasennumero|lisenssi|medlemsnr|igazolasszam|registracni cislo|memberid|
        member id|federation id|fide id|licence|license|licenceno|licenseno|licencenumber|licensenumber|
        membership|registration number|registration no|kennung|ausweisnummer|lizenz|lizenznummer|lizenznr|
        mitgliedsnummer|mitgliedsnr|mitgliednummer|mitgliednr|passnummer spieler|spielerpass|
        spielernummer verband|licence n|no licence|n licence|numero de licence|num licence|matricule|
        numero d adherent|tessera|n tessera|numero tessera|num tessera|numero di tessera|matricola|licencia|
        n licencia|numero de licencia|n socio|numero de socio|socio|licentie|licentienummer|bondsnummer|
        lidnummer|lidmaatschapsnummer|licencja|nr licencji|numer licencji|numer czlonkowski|nr czlonkowski|
        legitymacja|лицензия|номер лицензии|членский номер|членский билет|номер билета|会员号|會員號|会员编号|
        會員編號|会员证号|会员卡号|注册号|註冊號|注册编号|证号|选手编号|选手号|会員番号|会員no|登録番号|
        選手登録番号|ライセンス|ライセンス番号|선수번호|회원번호|등록번호|회원id|medlemsnummer|lisenssinumero|
        cislo licence|engedelyszam|n de carteirinha|uye no|lisans no""",
    ISSUER: """
        federado|ema|wrc|mil|mcr|usml|wmo|jpml|epml|mers|fide|dmjl|fmj|fim|oemv|federation|federations|member|
        members|membership|licence|license|mitglied|mitglieds|lizenz|verbands|adherent|affilie|federal|federale|
        tesserato|socio|lid|lidmaatschap|bonds|czlonek|членский|лицензия""",
    NUMBER: """
        no|nr|number|num|nummer|n|nbr|start number|startnumber|startnummer|startnr|lfdnr|lfd nr|laufende nummer|
        pos|position|rang|rank|platz|seed|seeding|numero|nro|numer|lp|liczba porzadkowa|номер|п п|no пп|序号|
        序號|编号|編號|号码|排名|番号|順位|번호|순번|순위|index|entry|row|table|tisch|seat|cislo|sorszam|sira|
        stt|bib""",
    APART: """
        apart|keepapart|keep apart|kept apart|not with|avoid|nicht zusammen mit|nicht mit|getrennt von|
        separer de|separe de|separare da|separar de|niet samen met|nie z|не сажать с|回避|避开|避開|应回避|
        须回避|回避选手|分ける|同卓回避|회피""",
    PRIVATE: """
        private|privatename|private name|name private|name withheld|withhold name|name verbergen|anonym|anonyme|
        保密|不公开|姓名保密|名前非公開|非公開|비공개|anonimo|anoniem|anonimowo|анонимно""",
    OTHER: """
        座席|submission id|response id|respondent id|entry id|order id|ticket|antwort id|time|timestamp|date|
        datum|zeit|zeitstempel|zeitpunkt|horodateur|date et heure|horodatage|informazioni cronologiche|
        marca temporal|fecha|fecha y hora|tijdstempel|tijd|sygnatura czasowa|data|godzina|отметка времени|дата|
        время|时间|时间戳|提交时间|报名时间|日期|タイムスタンプ|日時|日付|申込日|타임스탬프|날짜|시간|birth|
        born|birthday|birthdate|date of birth|dob|year of birth|birth year|yob|year|age|geburtsdatum|geburtstag|
        geburtsjahr|geb|jahrgang|jg|alter|naissance|date de naissance|annee de naissance|ne le|nascita|
        data di nascita|anno di nascita|eta|nacimiento|fecha de nacimiento|ano de nacimiento|edad|geboortedatum|
        geboortejaar|leeftijd|data urodzenia|rok urodzenia|rocznik|wiek|дата рождения|год рождения|возраст|
        出生日期|出生年|生日|年龄|年齡|生年月日|年齢|誕生日|생년월일|나이|sex|gender|geschlecht|sexe|genre|
        sesso|sexo|genero|geslacht|plec|пол|性别|性別|성별|mail|email|e mail|mail address|emailaddress|
        email address|mailadresse|e mail adresse|courriel|adresse mail|adresse email|posta elettronica|correo|
        correo electronico|emailadres|poczta|почта|эл почта|邮箱|电子邮件|電郵|邮件|メール|メールアドレス|
        이메일|phone|telephone|mobile|cell|phone number|tel|telefon|telefonnummer|handy|handynummer|mobil|
        portable|telefono|cellulare|movil|telefoon|telefoonnummer|mobiel|numer telefonu|телефон|номер телефона|
        电话|电话号码|手机|手机号|手机号码|手機|联系电话|联系方式|電話|電話番号|携帯|전화|전화번호|연락처|
        휴대폰|身份证|身份证号|passport number|ausweisnr|dni|nif|codice fiscale|pesel|паспорт|contact|
        contact name|emergency|emergency contact|parent|parents|guardian|partner|coach|notfallkontakt|kontakt|
        kontaktperson|eltern|personne a contacter|contact d urgence|contatto|contacto|contactpersoon|контакт|
        联系人|紧急联系人|監護人|监护人|緊急連絡先|連絡先|보호자|paid|payment|fee|bezahlt|zahlung|gebuehr|
        gebuhr|paye|paiement|pagato|quota|pagado|pago|betaald|zaplacone|wplata|оплата|оплачено|взнос|付款|缴费|
        已缴费|支付|参加費|支払|입금|참가비|status|bestaetigt|confirmed|checked in|stato|estado|statut|статус|
        状态|狀態|状況|상태|remarks|remark|comment|comments|note|notes|bemerkung|bemerkungen|kommentar|
        anmerkung|anmerkungen|remarque|remarques|commentaire|osservazioni|observaciones|opmerking|opmerkingen|
        uwagi|примечание|комментарий|备注|備註|備考|コメント|비고|meal|lunch|dinner|food|vegetarian|essen|
        mittagessen|repas|pranzo|comida|maaltijd|obiad|питание|用餐|餐饮|昼食|식사|allergies|allergien|allergie|
        rating|elo|points|punkte|score|total points|punti|puntos|punten|punkty|очки|рейтинг|积分|等级分|段位|
        等级|级别|段|レート|レーティング|ポイント|점수|단|급|category|kategorie|categorie|categoria|kategoria|
        категория|组别|組別|部門|クラス|부문|class|group|gruppe|groupe|gruppo|grupo|groep|grupa|группа|分组|
        グループ|조|level|niveau|title|titel|titre|anrede|civilite|salutation|t shirt|tshirt|size|groesse|
        tee shirt|第几桌|桌号|座位|卓|席|学号|club number|club id|clubnummer|vereinsnummer|team number|team id|
        teamnummer|file|photo|signature|unterschrift|firma|firma elettronica|podpis|подпись|签名|署名|サイン|
        서명|language|sprache|langue|lingua|idioma|taal|jezyk|язык|语言|言語|отчество|patronymic|initials|
        initialen|arrival|hotel|anreise|zahlungsart|url|link|consent|agree|agreement|einwilligung|einverstanden|
        accord|consenso|consentimiento|toestemming|zgoda|согласие|同意|동의""",
}  # fmt: skip
_ASIDE = """
    usuel usuelle appartenance zugehorigkeit the a an of is your you do does for in at on to what which who whom
    whose how please enter give type select choose write tell us our as it appears should be and or if any optional
    required my play playing represent belong come from with are was wie welcher welchem welchen welche ihr ihre
    ihren dein deine deinen du sie der die das des den dem ein eine bitte eingeben angeben angabe fuer fur spielst
    spielen spielt ist lautet und oder pflichtfeld freiwillig votre vos ton ta quel quelle est le la les l de d pour
    veuillez saisir indiquer indiquez jouez vous tu joues obligatoire facultatif dans il tuo suo tua sua qual quale
    quali e di del della dello per giochi inserisci inserire obbligatorio facoltativo su cual es el los las y en que
    para por favor escribe juega juegas obligatorio opcional wat welke uw je jouw u het een van voor speel speelt
    vul verplicht optioneel bij jaki jakie jaka jakiego w twoje twoj twoja pana pani prosze podac podaj gra grasz
    wymagane opcjonalne i z ваше ваша ваш ваши твое твоя твой какой какое какая каком за вы ты играете играешь
    укажите введите пожалуйста обязательно необязательно в и из 您的 你的 请 填写 输入 必填 选填 什么 哪个 您 你 是
    所在 所在的 代表 参赛 的 请填写 请输入 您所在的 您的参赛 あなたの お ご ご所属 ください 入力 必須 任意 は 何
    ですか の 記入 を 教えて を入力してください を教えてください をご記入ください 入力してください 당신의 귀하의
    입력 적어 주세요 필수 선택 을 를 은 는 무엇 입니까 을적어주세요 을입력하세요 입력해주세요 적어주세요
    을입력해주세요 을적어주십시오 이무엇입니까 obrigatorio seu pakollinen obligatoriskt dit ditt
"""
_FAMILY_FIRST = "vezeteknev csaladnev keresztnev utonev"
_LONGEST_PHRASE = 4
_NO_ACCENT = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})
"""Letters whose strokes are no accents to Unicode."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a cell means as the name of a column: its kind, "" for none known, and whether all its words are known."""

    kind: str = ""
    is_whole: bool = False
    is_family_first: bool = False


NONE = Label()


def plain(text: str) -> str:
    """Return letters and digits alone, without case and accents, words between single blanks."""
    spread = unicodedata.normalize("NFKD", text).casefold().translate(_NO_ACCENT)
    bare = "".join(one for one in spread if unicodedata.category(one) not in ("Mn", "Lm"))
    return " ".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", bare)))


@lru_cache(maxsize=4096)
def label_of(text: str) -> Label:
    """Return what the name of a column means."""
    told = plain(text)
    if not told or len(told) > _LONGEST_LABEL:
        return NONE
    known, aside = _tables()
    whole = known.get(told.replace(" ", ""))
    is_family_first = any(word in _FAMILY_FIRST.split() for word in told.split())
    if whole is not None:
        return Label(_settled({whole}), is_whole=True, is_family_first=is_family_first)
    kinds, rest = _phrases(told.split(), known, aside)
    kind = _settled(kinds)
    asks = text.rstrip().endswith(("?", "\N{FULLWIDTH QUESTION MARK}", "*")) or "ですか" in told
    return Label(kind, is_whole=bool(kind) and (not rest or asks), is_family_first=is_family_first) if kind else NONE


_LONGEST_LABEL = 200


def _settled(kinds: set[str]) -> str:
    """The kind of a label in which words of these kinds are: "Name of your club" is a club."""
    if kinds & {ISSUER} and kinds & {NUMBER, BARE_ID}:
        return ID
    for kind in (OTHER, PRIVATE, APART, ID, BARE_ID, ALIAS, CLUB, BODY):
        if kind in kinds:
            return kind
    told = kinds & {FULL, FAMILY, GIVEN, ANY_NAME}
    if told:
        return FULL if len(told) > 1 else told.pop()
    for kind in (PREFIX, COUNTRY, PLACE):
        if kind in kinds:
            return kind
    if kinds & {ISSUER}:
        return ID
    # "Player no." counts the players.
    return NUMBER if NUMBER in kinds else PLAYER if PLAYER in kinds else ""


def _phrases(told: list[str], known: dict[str, str], aside: frozenset[str]) -> tuple[set[str], list[str]]:
    """The kinds of all known phrases of a label, the longest first, and the words that are not known."""
    kinds: set[str] = set()
    rest = []
    at = 0
    while at < len(told):
        for size in range(min(_LONGEST_PHRASE, len(told) - at), 0, -1):
            phrase = "".join(told[at : at + size])
            if phrase in known and (size > 1 or phrase not in aside):
                kinds.add(known[phrase])
                at += size
                break
        else:
            word = told[at]
            # "Player 1", "Group B"
            if word not in aside and not (word.isdecimal() and len(word) < 3) and len(word.encode()) > 1:
                found = set(_within(word, known, aside)) if not word.isascii() else set()
                kinds |= found - {""}
                rest += [word] if "" in found or not found else []
            at += 1
    return kinds, rest


def _within(word: str, known: dict[str, str], aside: frozenset[str]) -> Iterator[str]:
    """The kinds of words in a text without blanks, as Chinese and Japanese are written; "" for what is not known."""
    at = 0
    while at < len(word):
        for end in range(len(word), at, -1):
            part = word[at:end]
            # One sign alone is part of too many other words.
            if part in known and end - at > 1:
                yield known[part]
                break
            if part in aside:
                break
        else:
            yield ""
            end = at + 1
        at = end


@cache
def _tables() -> tuple[dict[str, str], frozenset[str]]:
    known: dict[str, str] = {}
    for kind, text in _VOCABULARY.items():
        for word in text.split("|"):
            known.setdefault(plain(word).replace(" ", ""), kind)
    return known, frozenset(plain(word) for word in _ASIDE.split())
