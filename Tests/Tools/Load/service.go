// The shop of lean.sql as a service with net/http and pgx: each request calls a function in a separate transaction. A
// reference of `make bench`. Usage: service PORT CONNECTIONS, with libpq's environment variables for the database.
package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgconn"
	"github.com/jackc/pgx/v4/pgxpool"
)

type shop struct{ pool *pgxpool.Pool }

type basket struct {
	ID         string          `json:"id"`
	Lines      json.RawMessage `json:"lines"`
	TotalCount int64           `json:"totalCount"`
	Total      int64           `json:"total"`
}

type form struct {
	BasketID      string  `json:"basketId"`
	Name          string  `json:"name"`
	Phone         string  `json:"phone"`
	Email         string  `json:"email"`
	Address       string  `json:"address"`
	Coupon        *string `json:"coupon"`
	ExpectedTotal int64   `json:"expectedTotal"`
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("service PORT CONNECTIONS")
	}
	config, err := pgxpool.ParseConfig("pool_max_conns=" + os.Args[2] + " pool_min_conns=" + os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	pool, err := pgxpool.ConnectConfig(context.Background(), config)
	if err != nil {
		log.Fatal(err)
	}
	s := &shop{pool}
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/baskets", s.makeBasket)
	mux.HandleFunc("/v1/baskets/", s.addItem)
	mux.HandleFunc("/v1/checkout", s.checkout)
	mux.HandleFunc("/v1/checkout/validate", s.validate)
	server := &http.Server{
		Addr: "127.0.0.1:" + os.Args[1], Handler: mux, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute,
	}
	log.Fatal(server.ListenAndServe())
}

func (s *shop) makeBasket(w http.ResponseWriter, r *http.Request) {
	id := newID()
	var lines json.RawMessage
	if err := s.pool.QueryRow(r.Context(), "select lean.make_basket($1)", id).Scan(&lines); err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusCreated, basket{ID: id, Lines: lines})
}

// POST /v1/baskets/{id}/items and /v1/baskets/{id}/items/{item}/increment
func (s *shop) addItem(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/v1/baskets/"), "/")
	line := struct {
		MenuItemID int64 `json:"menuItemId"`
		Quantity   int32 `json:"quantity"`
	}{Quantity: 1}
	var err error
	switch {
	case len(parts) == 2 && parts[1] == "items":
		err = json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&line)
	case len(parts) == 4 && parts[1] == "items" && parts[3] == "increment":
		line.MenuItemID, err = strconv.ParseInt(parts[2], 10, 64)
	default:
		http.NotFound(w, r)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	b := basket{ID: parts[0]}
	err = s.pool.QueryRow(
		r.Context(), "select lines, count, total from lean.add_item($1, $2, $3)", parts[0], line.MenuItemID, line.Quantity).
		Scan(&b.Lines, &b.TotalCount, &b.Total)
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, b)
}

func (s *shop) validate(w http.ResponseWriter, r *http.Request) {
	var f form
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&f); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	quote := struct {
		Errors   map[string]string `json:"errors"`
		Basket   basket            `json:"basket"`
		Discount *int64            `json:"discount"`
	}{Errors: f.errors(), Basket: basket{ID: f.BasketID}}
	err := s.pool.QueryRow(
		r.Context(), "select lines, count, total, discount from lean.validate($1, $2)", f.BasketID, f.Coupon).
		Scan(&quote.Basket.Lines, &quote.Basket.TotalCount, &quote.Basket.Total, &quote.Discount)
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusOK, quote)
}

func (s *shop) checkout(w http.ResponseWriter, r *http.Request) {
	key := r.Header.Get("Idempotency-Key")
	var f form
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&f); err != nil || key == "" {
		http.Error(w, "send a form as JSON and an Idempotency-Key", http.StatusBadRequest)
		return
	}
	if errors := f.errors(); len(errors) > 0 {
		answer(w, http.StatusUnprocessableEntity, errors)
		return
	}
	var number int64
	err := s.pool.QueryRow(
		r.Context(), "select lean.checkout($1, $2, $3, $4, $5, $6, $7, $8)", f.BasketID, key,
		strings.TrimSpace(f.Name), f.Phone,
		strings.TrimSpace(f.Email), strings.TrimSpace(f.Address), f.Coupon, f.ExpectedTotal).Scan(&number)
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, http.StatusCreated, struct {
		ID         string `json:"id"`
		Number     string `json:"number"`
		State      string `json:"state"`
		Total      int64  `json:"total"`
		ETAMinutes int    `json:"etaMinutes"`
	}{f.BasketID, fmt.Sprintf("%08d", number), "placed", f.ExpectedTotal, 30})
}

func (f *form) errors() map[string]string {
	found := map[string]string{}
	if len(strings.TrimSpace(f.Name)) < 2 {
		found["name"] = "missing"
	}
	if len(f.Phone) < 8 || f.Phone[0] != '+' || strings.Trim(f.Phone[1:], "0123456789") != "" {
		found["phone"] = "invalid"
	}
	if at := strings.LastIndexByte(f.Email, '@'); at < 1 || !strings.Contains(f.Email[at:], ".") {
		found["email"] = "invalid"
	}
	if len(strings.TrimSpace(f.Address)) < 5 {
		found["address"] = "missing"
	}
	return found
}

func answer(w http.ResponseWriter, status int, value interface{}) {
	body, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body)
}

// An exception that a function raises is a rejection of the guest. Other errors are faults.
func refuse(w http.ResponseWriter, err error) {
	var raised *pgconn.PgError
	if errors.As(err, &raised) && raised.Code == "P0001" {
		http.Error(w, raised.Message, http.StatusConflict)
		return
	}
	log.Print(err)
	http.Error(w, "database", http.StatusServiceUnavailable)
}

// A UUID version 7, so that new rows are neighbours in the index.
func newID() string {
	var b [16]byte
	rand.Read(b[6:])
	binary.BigEndian.PutUint64(b[:8], uint64(time.Now().UnixMilli())<<16|uint64(b[6])<<8|uint64(b[7]))
	b[6], b[8] = b[6]&0x0f|0x70, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
